//! Expressions: scalars, indices and slices, views, new arrays, and arrays that are updated.

use super::*;

/// Slices that are the whole dimension.
const WHOLE: [&str; 3] = [":", "::-1", "0:"];

impl Maker {
    /// A number as text: itself, or by one of the scalars of which it is known what they are.
    fn number(&mut self, x: i64) -> String {
        let known = self.known.clone();
        match self.pick(&known) {
            Some((name, is)) if self.once_in(2) => match x - is {
                0 => name,
                more @ 1.. => format!("{name} + {more}"),
                less => format!("{name} - {}", -less),
            },
            _ => x.to_string(),
        }
    }

    /// An index of a dimension that has elements.
    fn at(&mut self, size: i64) -> String {
        let counters: Vec<String> =
            self.counters.iter().filter(|(_, rounds)| *rounds <= size).map(|(name, _)| name.clone()).collect();
        match self.pick(&counters) {
            Some(counter) if self.roll(3) > 0 => counter,
            _ => {
                let k = self.roll(size as u64);
                self.number(k)
            }
        }
    }

    /// A slice of a dimension: of so many elements, if that is asked for.
    fn slice(&mut self, size: i64, count: Option<i64>) -> (String, i64) {
        let count = count.unwrap_or_else(|| if self.once_in(12) { 0 } else { 1 + self.roll(size as u64) }.min(size));
        if count == size && self.once_in(2) {
            return (WHOLE[self.roll(3) as usize].to_string(), count);
        }
        // the widest stride that leaves room
        let most = if count > 1 { (size - 1) / (count - 1) } else { 2 };
        let stride = 1 + self.roll(most as u64);
        let span = (count - 1).max(0) * stride;
        let first = self.roll((size - span).max(1) as u64).min((size - 1).max(0));
        let (start, end, stride) = match (count, self.once_in(2)) {
            (0, _) => (first, first, 1),
            (_, true) => (first + span, first - 1, -stride),
            _ => (first, first + span + 1, stride),
        };
        let [start, end] = [start, end].map(|x| self.number(x));
        let text = match stride {
            1 => format!("{start}:{end}"),
            stride => format!("{start}:{end}:{}", self.number(stride)),
        };
        (text, count)
    }

    /// A scalar of the type of elements.
    pub(super) fn scalar(&mut self, depth: usize) -> String {
        use ScalarType::*;
        let elem = self.elem;
        match self.roll(6) {
            0 => {
                let x = self.roll(9);
                match elem {
                    Bool => (x % 2 == 0).to_string(),
                    _ if elem.is_float() => format!("{}.{}{elem}", x, ["0", "5", "25"][(x % 3) as usize]),
                    _ => format!("{x}{elem}"),
                }
            }
            1 => {
                let scalars = self.scalars.clone();
                self.pick(&scalars).unwrap_or_default()
            }
            2 | 3 if depth > 0 => {
                let [a, b] = [0, 0].map(|_| self.scalar(depth - 1));
                let op = match elem {
                    Bool => "!=",
                    _ if elem.is_float() => "+",
                    _ => ["+", "-", "*"][self.roll(3) as usize],
                };
                format!("({a} {op} {b})")
            }
            _ => match self.var(Var::is_some) {
                Some(var) => {
                    let indices: Vec<String> = var.sizes().into_iter().map(|size| self.at(size)).collect();
                    format!("{}[{}]", var.name, indices.join(", "))
                }
                None => "s".into(),
            },
        }
    }

    /// A truth value.
    pub(super) fn condition(&mut self) -> String {
        let k = self.roll(4);
        match (self.roll(3), self.elem) {
            (0, _) => format!("p < {k}"),
            (1, _) => "p < q".into(),
            (_, ScalarType::Bool) => self.scalar(1),
            _ => format!("{} < {}", self.scalar(1), self.scalar(0)),
        }
    }

    /// What is updated, in place as far as the language says.
    pub(super) fn updated(&mut self) -> Option<Made> {
        match self.roll(8) {
            0 | 1 => self.with_element(),
            2..=5 => self.with_part(),
            6 => self.scattered(),
            _ => self.binned(),
        }
    }

    fn with_element(&mut self) -> Option<Made> {
        let var = self.own(Var::is_some)?;
        let indices: Vec<String> = var.sizes().into_iter().map(|size| self.at(size)).collect();
        let value = self.scalar(2);
        let text = format!("{} with [{}] = {value}", var.name, indices.join(", "));
        Some(self.replaced(&var, text))
    }

    /// With a slice, a row or a column of something else; or of itself, copied.
    fn with_part(&mut self) -> Option<Made> {
        let var = self.own(Var::is_some)?;
        let sizes = var.sizes();
        let rank = 1 + self.roll(sizes.len() as u64) as usize;
        // the dimensions that are replaced
        let among: Vec<usize> = if rank == sizes.len() { (0..rank).collect() } else { vec![self.roll(2) as usize] };
        let most: Vec<i64> = among.iter().map(|k| sizes[*k]).collect();
        let fits =
            |other: &Var| other.shape.len() == rank && other.sizes().iter().zip(&most).all(|(n, most)| n <= most);
        let other = self.var(|other| other.is_apart(&var.roots) && fits(other));
        let (other, copied) = match other {
            Some(other) if self.roll(4) > 0 => (other, false),
            // moved within the array: a part of it, copied before it is written over
            _ => (self.var(fits)?, true),
        };
        let seen = self.same_shape(&other);
        let mut counts = other.sizes().into_iter();
        let (mut places, mut shape) = (Vec::new(), Vec::new());
        for (k, dim) in var.shape.iter().enumerate() {
            if !among.contains(&k) {
                places.push(self.at(dim.size));
                continue;
            }
            let (slice, count) = self.slice(dim.size, counts.next());
            // what is whole has the size of the whole
            shape.push(if WHOLE.contains(&&*slice) { dim.clone() } else { Dim::number(count) });
            places.push(slice);
        }
        // a row may be meant by its index alone
        if among == [1] && places[1] == ":" {
            places.truncate(1);
        }
        let value = if copied { format!("copy {}", parenthesized(&seen.text)) } else { seen.text };
        let value = self.of_shape(&value, &other.shape, &shape);
        let text = format!("{} with [{}] = {value}", var.name, places.join(", "));
        Some(self.replaced(&var, text))
    }

    fn scattered(&mut self) -> Option<Made> {
        let var = self.own(|_| true)?;
        let inner = var.shape[1..].to_vec();
        let sizes: Vec<i64> = inner.iter().map(|dim| dim.size).collect();
        let other = self.var(|other| other.is_apart(&var.roots) && other.sizes()[1..] == sizes)?;
        let mut shape = vec![other.shape[0].clone()];
        shape.extend(inner);
        let values = self.of_shape(&other.name, &other.shape, &shape);
        let count = &other.shape[0].text;
        let indices = match self.roll(4) {
            0 => format!("(reverse (iota {count}))"),
            1 => format!("(rotate p (iota {count}))"),
            2 => format!("(map (\\i -> i * 2 - 1) (iota {count}))"),
            _ => format!("(map (+ q) (iota {count}))"),
        };
        let text = format!("scatter {} {indices} {values}", var.name);
        Some(self.replaced(&var, text))
    }

    fn binned(&mut self) -> Option<Made> {
        if self.elem == ScalarType::Bool || self.elem.is_float() {
            return self.with_element();
        }
        let var = self.own(|var| var.shape.len() == 1)?;
        let other = self.var(|other| other.shape.len() == 1 && other.is_apart(&var.roots))?;
        let bins = format!("(map (% 3) (iota {}))", other.shape[0].text);
        let text = format!("reduce_by_index {} (+) 0 {bins} {}", var.name, other.name);
        Some(self.replaced(&var, text))
    }

    /// What stands in the place of an array that is consumed.
    fn replaced(&mut self, var: &Var, text: String) -> Made {
        self.consume(&var.roots);
        Made { text, shape: var.shape.clone(), roots: self.fresh() }
    }

    /// A view or a new array, of something in scope.
    pub(super) fn view_or_new(&mut self) -> Option<Made> {
        let var = self.var(|_| true)?;
        Some(match self.roll(10) {
            0..=5 => self.seen(&var),
            6 => self.same_shape(&var),
            _ => self.new_array(&var),
        })
    }

    /// A view of an array, perhaps of another shape, or the array.
    pub(super) fn seen(&mut self, var: &Var) -> Made {
        let roots = var.roots.clone();
        let name = &var.name;
        let (shape, sizes) = (&var.shape, var.sizes());
        match (&shape[..], self.roll(7)) {
            ([_], 0 | 1) => {
                let (slice, count) = self.slice(sizes[0], None);
                let shape = vec![Dim::number(count)];
                Made { text: format!("{name}[{slice}] :> {}", self.ty(&shape)), shape, roots }
            }
            ([n], 2) if n.size % 2 == 0 => {
                let shape = vec![Dim::number(n.size / 2), Dim::number(2)];
                let text = format!("unflatten ({name} :> [{} * 2]{})", n.size / 2, self.elem);
                Made { text: format!("{text} :> {}", self.ty(&shape)), shape, roots }
            }
            ([n, m], 0 | 1) => {
                let text = format!("transpose {name}");
                Made { text, shape: vec![m.clone(), n.clone()], roots }
            }
            ([n, m], 2 | 3) if n.size > 0 && m.size > 0 => {
                let (row, column) = (self.at(n.size), self.at(m.size));
                let (text, shape) = match self.roll(3) {
                    0 => (format!("{name}[{row}]"), vec![m.clone()]),
                    1 => (format!("{name}[:, {column}]"), vec![n.clone()]),
                    _ => {
                        let (slice, count) = self.slice(n.size, None);
                        let shape = vec![Dim::number(count)];
                        (format!("{name}[{slice}, {column}] :> {}", self.ty(&shape)), shape)
                    }
                };
                Made { text, shape, roots }
            }
            ([_, m], 4 | 5) => {
                let (rows, count) = self.slice(sizes[0], None);
                let (slices, inner) = match self.once_in(2) {
                    true => (rows, m.clone()),
                    false => {
                        let (columns, count) = self.slice(m.size, None);
                        (format!("{rows}, {columns}"), Dim::number(count))
                    }
                };
                let shape = vec![Dim::number(count), inner];
                Made { text: format!("{name}[{slices}] :> {}", self.ty(&shape)), shape, roots }
            }
            ([n, m], 6) => {
                let shape = vec![Dim::number(n.size * m.size)];
                Made { text: format!("flatten {name} :> {}", self.ty(&shape)), shape, roots }
            }
            _ => self.same_shape(var),
        }
    }

    /// A view of an array that has its shape, or one of these that is new.
    pub(super) fn same_shape(&mut self, var: &Var) -> Made {
        let (name, shape) = (&var.name, var.shape.clone());
        match self.roll(6) {
            0 | 1 => Made { text: format!("reverse {name}"), shape, roots: var.roots.clone() },
            2 | 3 => {
                let by = self.roll(7) - 3;
                let by = if by < 0 { format!("({by})") } else { format!("({})", self.number(by)) };
                Made { text: format!("rotate {by} {name}"), shape, roots: self.fresh() }
            }
            4 if shape.len() == 2 && shape[0].size == shape[1].size => {
                let turned = self.of_shape(&format!("transpose {name}"), &[shape[1].clone(), shape[0].clone()], &shape);
                Made { text: turned, shape, roots: var.roots.clone() }
            }
            _ => Made { text: name.clone(), shape, roots: var.roots.clone() },
        }
    }

    fn new_array(&mut self, var: &Var) -> Made {
        use ScalarType::*;
        let name = &var.name;
        let (mut shape, elem) = (var.shape.clone(), self.elem);
        let text = match (self.roll(8), &var.shape[..]) {
            (0 | 1, _) => {
                let view = self.same_shape(var).text;
                format!("copy {}", parenthesized(&view))
            }
            (2, [_]) => {
                let times = 1 + self.roll(3);
                shape.insert(0, Dim::number(times));
                format!("replicate {times} {name}")
            }
            (2 | 3, [n, _]) => {
                let by = self.number(1);
                match self.roll(3) {
                    0 => format!("map reverse {name}"),
                    1 => format!("map (rotate ({by})) {name}"),
                    _ if var.is_some() => {
                        let at = self.at(var.sizes()[1]);
                        let value = self.scalar(1);
                        format!("map (\\r -> copy r with [{at}] = {value}) {name}")
                    }
                    _ => format!("map copy (reverse {name} :> {})", self.ty(&[n.clone(), var.shape[1].clone()])),
                }
            }
            (3, [n]) => {
                shape = vec![Dim::number(2 * n.size)];
                let view = self.same_shape(var).text;
                format!("({name} ++ {}) :> {}", parenthesized(&view), self.ty(&shape))
            }
            (4, [n]) if n.size > 0 => format!("map (\\i -> {name}[i]) (reverse (iota {}))", n.text),
            (5, [n]) if elem == I64 => format!("iota {}", n.text),
            (5, _) => {
                let value = self.scalar(1);
                let inner = |text: String, dim: &Dim| format!("replicate {} {}", dim.text, parenthesized(&text));
                shape.iter().rev().fold(value, inner)
            }
            (6, [_]) if elem != Bool && !elem.is_float() => format!("scan (+) 0 {name}"),
            (_, [_]) => {
                let other = self.var(|other| other.sizes() == var.sizes()).unwrap_or_else(|| var.clone());
                let other = self.of_shape(&other.name, &other.shape, &shape);
                let op = if elem == Bool { "(!=)" } else { "(+)" };
                format!("map2 {op} {name} {other}")
            }
            _ => {
                let op = if elem == Bool { "!= s" } else { "+ s" };
                format!("map (map ({op})) {name}")
            }
        };
        Made { text, shape, roots: self.fresh() }
    }
}

/// An expression that is an argument.
pub(super) fn parenthesized(text: &str) -> String {
    if text.contains(' ') { format!("({text})") } else { text.to_string() }
}
