//! Changes of a text: what a hint says is to be written otherwise.

use crate::source::Span;

/// A place, and what stands there when the change is made.
pub type Edit = (Span, String);

/// The text with the changes made, which are places in it. Of changes that overlap the first in the text is made.
pub fn edited(text: &str, edits: &[Edit]) -> String {
    let mut edits: Vec<&Edit> = edits.iter().collect();
    edits.sort_by_key(|(span, _)| (span.start, span.end));
    let (mut out, mut at) = (String::new(), 0);
    for (span, new) in edits {
        let (start, end) = (span.start as usize, span.end as usize);
        if let Some(between) = text.get(at..start)
            && start <= end
            && text.is_char_boundary(end)
        {
            out.push_str(between);
            out.push_str(new);
            at = end;
        }
    }
    out.push_str(&text[at..]);
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::FileId;

    fn changed(text: &str, edits: &[(u32, u32, &str)]) -> String {
        let edits: Vec<Edit> =
            edits.iter().map(|(start, end, new)| (Span::new(FileId(0), *start, *end), new.to_string())).collect();
        edited(text, &edits)
    }

    #[test]
    fn changes_are_made_in_the_order_of_the_text() {
        assert_eq!(changed("a b c", &[(4, 5, "z"), (0, 1, "x"), (2, 2, "y ")]), "x y b z");
        assert_eq!(changed("abc", &[]), "abc");
        assert_eq!(changed("abc", &[(3, 3, "d"), (0, 2, "")]), "cd");
    }

    #[test]
    fn what_overlaps_or_is_no_place_is_left_out() {
        assert_eq!(changed("abc", &[(0, 2, "x"), (1, 3, "y")]), "xc");
        assert_eq!(changed("é", &[(1, 2, "x"), (5, 6, "y")]), "é");
    }
}
