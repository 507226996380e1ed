//! Values as pictures: curves in braille dots, images in half blocks, files by their names.

use super::Repl;
use super::command::{needed, usage, values};
use crate::data::encode_png;
use crate::failure::Failure;
use crate::{files, say};
use futi_core::prim::ScalarType;
use futi_core::value::Value;
use std::fmt::Write;
use std::io::IsTerminal;
use std::path::Path;

/// How large a picture in the terminal is, in characters.
const COLUMNS: usize = 72;
const ROWS: usize = 20;
/// How large one in a file is, in pixels.
const WIDTH: usize = 800;
const HEIGHT: usize = 500;

/// Points that are joined.
type Curve = Vec<(f64, f64)>;

/// `:plot [FILE] EXP`.
pub fn plot(repl: &mut Repl, text: &str) -> Result<(), Failure> {
    let (file, text) = with_file(needed(text, "an expression")?, &["svg", "png"]);
    let curves = curves(&values(repl, text)?)?;
    let frame = Frame::of(&curves).ok_or_else(|| usage("There is no finite number to be drawn."))?;
    match file {
        None => say::out(frame.braille(&curves)),
        Some(path) if path.ends_with(".svg") => write(path, frame.svg(&curves).as_bytes()),
        Some(path) => {
            let dots = frame.dots(&curves, WIDTH, HEIGHT);
            let grey: Vec<u8> = dots.iter().flat_map(|dot| [if *dot { 0 } else { 255 }; 3]).collect();
            write(path, &png(WIDTH, HEIGHT, &grey)?)
        }
    }
}

/// `:img [FILE] EXP`.
pub fn image(repl: &mut Repl, text: &str) -> Result<(), Failure> {
    let (file, text) = with_file(needed(text, "an expression")?, &["png"]);
    let image = Image::of(&values(repl, text)?)?;
    match file {
        Some(path) => write(path, &png(image.width, image.height, image.rgb.as_flattened())?),
        None => say::out(image.blocks(std::io::stdout().is_terminal())),
    }
}

/// The name of a file at the beginning, if there is one, and the rest.
fn with_file<'a>(text: &'a str, kinds: &[&str]) -> (Option<&'a str>, &'a str) {
    match text.split_once(char::is_whitespace) {
        Some((file, rest)) if file.rsplit_once('.').is_some_and(|(_, kind)| kinds.contains(&kind)) => {
            (Some(file), rest.trim())
        }
        _ => (None, text),
    }
}

fn write(path: &str, bytes: &[u8]) -> Result<(), Failure> {
    let path = Path::new(path);
    std::fs::write(path, bytes).map_err(|e| files::io(path, e))
}

fn png(width: usize, height: usize, rgb: &[u8]) -> Result<Vec<u8>, Failure> {
    encode_png(width, height, png::ColorType::Rgb, rgb).map_err(Failure::Io)
}

/// The curves of a value: an array of numbers over its indices, the rows of a matrix, or a pair of arrays.
fn curves(values: &[Value]) -> Result<Vec<Curve>, Failure> {
    let numbers = |v: &Value| -> Vec<f64> { v.elements().map(|x| x.to_f64()).collect() };
    let over_indices = |ys: &[f64]| ys.iter().enumerate().map(|(i, y)| (i as f64, *y)).collect();
    match values {
        [ys] if ys.shape().len() == 1 => Ok(vec![over_indices(&numbers(ys))]),
        [ys] if ys.shape().len() == 2 && ys.shape()[1] > 0 => {
            Ok(numbers(ys).chunks(ys.shape()[1]).map(over_indices).collect())
        }
        [xs, ys] if xs.shape().len() == 1 && xs.shape() == ys.shape() => {
            Ok(vec![numbers(xs).into_iter().zip(numbers(ys)).collect()])
        }
        _ => Err(usage(
            "What is drawn is an array of numbers, a matrix whose rows are curves, or a pair of arrays of one length.",
        )),
    }
}

/// The part of the plane that is shown.
struct Frame {
    x: (f64, f64),
    y: (f64, f64),
}

impl Frame {
    /// One that has all points; none if there are none.
    fn of(curves: &[Curve]) -> Option<Frame> {
        let bounds = |of: fn(&(f64, f64)) -> f64| {
            let finite = || curves.iter().flatten().filter(|(x, y)| x.is_finite() && y.is_finite()).map(of);
            let (low, high) = (finite().reduce(f64::min)?, finite().reduce(f64::max)?);
            // what is constant is in the middle
            Some(if low == high { (low - 1.0, high + 1.0) } else { (low, high) })
        };
        Some(Frame { x: bounds(|p| p.0)?, y: bounds(|p| p.1)? })
    }

    /// Where a point is in a picture of this size, from its left upper corner.
    fn place(&self, (x, y): (f64, f64), width: usize, height: usize) -> Option<(f64, f64)> {
        let part = |v: f64, (low, high): (f64, f64)| (v / 2.0 - low / 2.0) / (high / 2.0 - low / 2.0);
        let at = (part(x, self.x) * (width - 1) as f64, (1.0 - part(y, self.y)) * (height - 1) as f64);
        (at.0.is_finite() && at.1.is_finite()).then_some(at)
    }

    /// The dots that are set, row by row.
    fn dots(&self, curves: &[Curve], width: usize, height: usize) -> Vec<bool> {
        let mut dots = vec![false; width * height];
        for curve in curves {
            let mut last = None;
            for point in curve {
                let here = self.place(*point, width, height);
                if let Some(to) = here {
                    let from: (f64, f64) = last.unwrap_or(to);
                    let steps = (to.0 - from.0).abs().max((to.1 - from.1).abs()).ceil().max(1.0);
                    for k in 0..=steps as usize {
                        let t = k as f64 / steps;
                        let (x, y) = (from.0 + t * (to.0 - from.0), from.1 + t * (to.1 - from.1));
                        dots[y.round() as usize * width + x.round() as usize] = true;
                    }
                }
                last = here;
            }
        }
        dots
    }

    /// A picture of characters, 2 by 4 dots each, with the bounds beside it.
    fn braille(&self, curves: &[Curve]) -> String {
        // the dots of a character in the order of the bits of its code, by column and row
        const BITS: [(usize, usize); 8] = [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (0, 3), (1, 3)];
        let width = 2 * COLUMNS;
        let dots = self.dots(curves, width, 4 * ROWS);
        let label = |v: f64| format!("{v:>10.4}");
        let mut out = String::new();
        for row in 0..ROWS {
            let left = match row {
                0 => label(self.y.1),
                _ if row + 1 == ROWS => label(self.y.0),
                _ => " ".repeat(10),
            };
            let cell = |column: usize| {
                let is_set = |(x, y): &(usize, usize)| dots[(4 * row + y) * width + 2 * column + x];
                let bits: u32 = BITS.iter().enumerate().filter(|(_, at)| is_set(at)).map(|(i, _)| 1 << i).sum();
                char::from_u32(0x2800 + bits).unwrap_or(' ')
            };
            let cells: String = (0..COLUMNS).map(cell).collect();
            let _ = writeln!(out, "{} {}", left, cells.trim_end_matches('\u{2800}'));
        }
        let (low, high) = (format!("{:.4}", self.x.0), format!("{:.4}", self.x.1));
        let room = COLUMNS.saturating_sub(low.len() + high.len());
        let _ = writeln!(out, "{}{low}{}{high}", " ".repeat(11), " ".repeat(room));
        out
    }

    fn svg(&self, curves: &[Curve]) -> String {
        const COLOURS: [&str; 6] = ["#1f77b4", "#d62728", "#2ca02c", "#ff7f0e", "#9467bd", "#8c564b"];
        const EDGE: usize = 50;
        let (width, height) = (WIDTH - 2 * EDGE, HEIGHT - 2 * EDGE);
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" font-size=\"12\">\n\
             <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"white\"/>\n\
             <rect x=\"{EDGE}\" y=\"{EDGE}\" width=\"{width}\" height=\"{height}\" fill=\"none\" stroke=\"#888\"/>\n"
        );
        let mut text = |x: usize, y: usize, anchor: &str, v: f64| {
            let _ = writeln!(out, "<text x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\">{v:.4}</text>");
        };
        text(EDGE - 4, EDGE + 4, "end", self.y.1);
        text(EDGE - 4, HEIGHT - EDGE, "end", self.y.0);
        text(EDGE, HEIGHT - EDGE + 16, "middle", self.x.0);
        text(WIDTH - EDGE, HEIGHT - EDGE + 16, "middle", self.x.1);
        for (curve, colour) in curves.iter().zip(COLOURS.iter().cycle()) {
            for part in curve.split(|(x, y)| !(x.is_finite() && y.is_finite())).filter(|part| !part.is_empty()) {
                let points = part.iter().filter_map(|point| self.place(*point, width, height));
                let points: Vec<String> =
                    points.map(|(x, y)| format!("{:.1},{:.1}", x + EDGE as f64, y + EDGE as f64)).collect();
                let _ = writeln!(
                    out,
                    "<polyline fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.5\" points=\"{}\"/>",
                    points.join(" ")
                );
            }
        }
        out + "</svg>\n"
    }
}

/// An image, row by row.
struct Image {
    width: usize,
    height: usize,
    rgb: Vec<[u8; 3]>,
}

impl Image {
    /// Of `[h][w]u32` the colours are `0xAARRGGBB`, as Futhark has them; `[h][w]` of floats is grey from 0 to 1, of `u8` from 0 to 255, of `bool` black and white;
    /// `[h][w][3]u8` has red, green and blue.
    fn of(values: &[Value]) -> Result<Image, Failure> {
        let wrong = || usage("What is shown is [h][w] of u32, u8, bool or floats, or [h][w][3]u8.");
        let [value] = values else { return Err(wrong()) };
        let grey = |x: f64| [(x.clamp(0.0, 1.0) * 255.0).round() as u8; 3];
        let rgb: Vec<[u8; 3]> = match (value.elem(), value.shape()) {
            (ScalarType::U32, [_, _]) => {
                let of = |colour: u32| [(colour >> 16) as u8, (colour >> 8) as u8, colour as u8];
                value.elements().map(|x| of(x.to_int().unwrap_or(0) as u32)).collect()
            }
            (ScalarType::U8, [_, _]) => value.elements().map(|x| [x.to_int().unwrap_or(0) as u8; 3]).collect(),
            (ScalarType::Bool, [_, _]) => value.elements().map(|x| grey(x.to_f64())).collect(),
            (t, [_, _]) if t.is_float() => value.elements().map(|x| grey(x.to_f64())).collect(),
            (ScalarType::U8, [_, _, 3]) => {
                let bytes: Vec<u8> = value.elements().map(|x| x.to_int().unwrap_or(0) as u8).collect();
                bytes.chunks(3).map(|p| [p[0], p[1], p[2]]).collect()
            }
            _ => return Err(wrong()),
        };
        let (height, width) = (value.shape()[0], value.shape()[1]);
        if rgb.is_empty() { Err(usage("The image has no pixels.")) } else { Ok(Image { width, height, rgb }) }
    }

    /// The mean colour of a part.
    fn mean(&self, x: std::ops::Range<usize>, y: std::ops::Range<usize>) -> [u8; 3] {
        let count = (x.len() * y.len()) as u64;
        let sum = |k: usize| -> u64 {
            y.clone()
                .flat_map(|j| x.clone().map(move |i| (i, j)))
                .map(|(i, j)| u64::from(self.rgb[j * self.width + i][k]))
                .sum()
        };
        [0, 1, 2].map(|k| (sum(k) / count) as u8)
    }

    /// Characters of which each has two pixels, one above the other, in their colours; without colours, the brighter the denser.
    fn blocks(&self, coloured: bool) -> String {
        let width = self.width.min(COLUMNS);
        let height = (self.height * width).div_ceil(self.width).clamp(1, 100);
        let pixel = |i: usize, j: usize| {
            let part = |k: usize, n: usize, all: usize| {
                let start = k * all / n;
                start..((k + 1) * all / n).max(start + 1)
            };
            self.mean(part(i, width, self.width), part(j, height, self.height))
        };
        let mut out = String::new();
        for j in (0..height).step_by(2) {
            for i in 0..width {
                let (above, below) = (pixel(i, j), if j + 1 < height { pixel(i, j + 1) } else { [0; 3] });
                if coloured {
                    let [[r, g, b], [r2, g2, b2]] = [above, below];
                    let _ = write!(out, "\x1b[38;2;{r};{g};{b}m\x1b[48;2;{r2};{g2};{b2}m\u{2580}");
                } else {
                    const SHADES: &[u8] = b" .:-=+*#%@";
                    let sum: usize = above.iter().chain(&below).map(|c| usize::from(*c)).sum();
                    out.push(char::from(SHADES[sum * (SHADES.len() - 1) / (6 * 255)]));
                }
            }
            out.push_str(if coloured { "\x1b[0m\n" } else { "\n" });
        }
        out
    }
}
