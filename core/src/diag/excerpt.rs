//! Excerpts of files with long lines: of a long line, what stands around the places that a diagnostic is about, so that showing it costs the same
//! however long the line is.

use crate::source::SourceFile;
use std::ops::Range;

/// A line of more bytes is cut.
const LONG: usize = 400;
/// How many bytes stay before and behind each end of a place.
const AROUND: usize = 50;
/// What stands for what is left out.
const GAP: &str = "…";

/// The lines of a file up to the last in which a place begins or ends. Those in which none does are empty: they are not shown.
pub struct Excerpt {
    /// The text.
    pub text: String,
    /// The parts of the file in it, in order: where they are in the file, and where they begin in the text.
    parts: Vec<(Range<usize>, usize)>,
}

impl Excerpt {
    /// One for these places; `None` if the lines that are shown are short.
    pub fn of(file: &SourceFile, places: &[Range<usize>]) -> Option<Excerpt> {
        let mut ends: Vec<usize> = places.iter().flat_map(|p| [p.start, p.end.max(p.start + 1) - 1]).collect();
        ends.sort_unstable();
        let lines: Vec<usize> = ends.iter().map(|end| file.line(*end as u32)).collect();
        if lines.iter().all(|line| file.line_range(*line).len() <= LONG) {
            return None;
        }
        let (first, last) = (*lines.first()?, *lines.last()?);
        let mut excerpt = Excerpt { text: "\n".repeat(first), parts: vec![] };
        for line in first..=last {
            let own = &ends[lines.partition_point(|l| *l < line)..lines.partition_point(|l| *l <= line)];
            excerpt.line(&file.text, file.line_range(line), own);
            excerpt.text.push('\n');
        }
        Some(excerpt)
    }

    /// Adds a line, or what of it stands around these ends of places.
    fn line(&mut self, text: &str, line: Range<usize>, ends: &[usize]) {
        let mut parts: Vec<Range<usize>> = vec![];
        for end in ends {
            let part = match line.len() <= LONG {
                true => line.clone(),
                false => {
                    let start = end.saturating_sub(AROUND).max(line.start);
                    boundary(text, start, -1)..boundary(text, (end + AROUND).min(line.end), 1)
                }
            };
            match parts.last_mut() {
                Some(last) if part.start <= last.end + GAP.len() => last.end = last.end.max(part.end),
                _ => parts.push(part),
            }
        }
        let mut at = line.start;
        for part in parts {
            if part.start > at {
                self.text.push_str(GAP);
            }
            at = part.end;
            self.parts.push((part.clone(), self.text.len()));
            self.text.push_str(&text[part]);
        }
        if !ends.is_empty() && at < line.end {
            self.text.push_str(GAP);
        }
    }

    /// Where a place of the file is in the text.
    pub fn place(&self, place: &Range<usize>) -> Range<usize> {
        self.offset(place.start)..self.offset(place.end)
    }

    fn offset(&self, offset: usize) -> usize {
        let k = self.parts.partition_point(|(part, _)| part.start <= offset).saturating_sub(1);
        self.parts.get(k).map_or(0, |(part, at)| at + offset.clamp(part.start, part.end) - part.start)
    }

    /// Where a line and column of the text, both counted from 1, are in the file.
    pub fn source(&self, line: usize, column: usize) -> Option<usize> {
        let before = self.text.split_inclusive('\n').take(line.checked_sub(1)?).map(str::len);
        let start: usize = before.sum();
        let offset = start + self.text[start..].chars().take(column.checked_sub(1)?).map(char::len_utf8).sum::<usize>();
        let k = self.parts.partition_point(|(_, at)| *at <= offset).checked_sub(1)?;
        let (part, at) = &self.parts[k];
        Some((part.start + offset - at).min(part.end))
    }
}

/// The nearest place from here, in this direction, where a character begins.
fn boundary(text: &str, mut at: usize, step: isize) -> usize {
    while !text.is_char_boundary(at) {
        at = at.saturating_add_signed(step);
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::SourceMap;

    fn excerpt(text: &str, places: &[Range<usize>]) -> Option<Excerpt> {
        let mut map = SourceMap::new();
        let file = map.add("a.fut", text);
        Excerpt::of(map.get(file)?, places)
    }

    #[test]
    fn short_lines_are_shown_whole() {
        let text = format!("a\n{}\nb", "é".repeat(LONG));
        let end = text.len() - 1;
        assert!(excerpt(&text, &[0..1, end..end + 1]).is_none());
        assert!(excerpt(&text, &[0..1, 2..4]).is_some());
    }

    #[test]
    fn places_are_found_again() {
        let text = format!("x\nshort\n{}y\nz", "aé".repeat(5000));
        let (start, end) = (text.len() - 1002, text.len() - 705);
        let end_of_text = text.len();
        let all: [&[_]; 5] =
            [&[(start, end)], &[(2, end)], &[(4, 7), (start, end)], &[(start, end_of_text)], &[(end, end)]];
        for places in all {
            let places: Vec<Range<usize>> = places.iter().map(|(start, end)| *start..*end).collect();
            let excerpt = excerpt(&text, &places).unwrap();
            assert!(excerpt.text.len() < 4 * (AROUND + GAP.len() + 2) + 20, "{}", excerpt.text);
            for place in &places {
                let Range { start, end } = excerpt.place(place);
                let ch = |text: &str, at: usize| text[at..].chars().next().filter(|c| *c != '\n');
                assert_eq!(ch(&excerpt.text, start), ch(&text, place.start));
                assert_eq!(ch(&excerpt.text, end), ch(&text, place.end), "{}", excerpt.text);
                let before = &excerpt.text[..start];
                let line = before.matches('\n').count() + 1;
                let column = before.rsplit('\n').next().unwrap().chars().count() + 1;
                assert_eq!(excerpt.source(line, column), Some(place.start));
            }
        }
    }
}
