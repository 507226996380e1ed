//! The tokens of a text, and what may stand between them.

use crate::source::Span;
use crate::syntax::token::Token;

/// The number of a token.
pub(super) type Tok = usize;

/// A group of breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct GroupId(pub(super) usize);

/// The group of the breaks between declarations: it is always broken.
pub(super) const ROOT: GroupId = GroupId(0);

/// Breaks that become ends of lines together, within a range of tokens. Groups nest, the outer of two is made first.
#[derive(Clone, Debug)]
pub(super) struct Group {
    /// The first token.
    pub(super) first: Tok,
    /// The last.
    pub(super) last: Tok,
    /// Where the last argument of an application begins, which may be broken although the application is not.
    pub(super) hug: Option<Tok>,
}

/// The column at which the line after a break begins.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Align {
    /// The first.
    Margin,
    /// That of a token, and some more.
    At(Tok, i32),
    /// Two more than that of the line before: where only a comment makes a line end.
    Hang,
}

/// What stands between two tokens if no comment does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Space {
    /// What is usual between the two.
    Auto,
    /// Nothing.
    Glued,
    /// A blank.
    Blank,
    /// What is usual if the group is flat, else the end of a line.
    Line(GroupId),
    /// What is usual if the group is flat, else a blank: behind an opening bracket.
    Pad(GroupId),
    /// What is usual if what follows, up to this token, fits in the line; else the end of a line.
    Fill(GroupId, Tok),
}

/// A comment.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Comment<'a> {
    /// With its dashes.
    pub(super) text: &'a str,
    /// Whether it has a line of its own.
    pub(super) own_line: bool,
    /// Whether a blank line stands before it.
    pub(super) blank: bool,
}

/// What stands before a token.
#[derive(Clone, Debug)]
pub(super) struct Gap<'a> {
    /// What is to stand there.
    pub(super) space: Space,
    /// Where a new line begins.
    pub(super) align: Align,
    /// Where comments on lines of their own begin, if elsewhere.
    pub(super) comment_align: Option<Align>,
    /// The comments there.
    pub(super) comments: Vec<Comment<'a>>,
    /// Whether a line ends there in the text.
    pub(super) newline: bool,
    /// Whether a blank line stands there, behind all comments.
    pub(super) blank: bool,
    /// Whether blank lines are kept.
    pub(super) keep_blank: bool,
}

/// The tokens, the gaps before each and behind the last, the groups.
pub(super) struct Sheet<'a> {
    /// The tokens with their texts.
    pub(super) tokens: Vec<(Token<'a>, &'a str)>,
    spans: Vec<(u32, u32)>,
    /// One more than tokens.
    pub(super) gaps: Vec<Gap<'a>>,
    /// The groups, [`ROOT`] first.
    pub(super) groups: Vec<Group>,
    /// Tokens that are left out.
    pub(super) dropped: Vec<bool>,
}

impl<'a> Sheet<'a> {
    pub(super) fn new(text: &'a str, tokens: &[(Token<'a>, Span)]) -> Sheet<'a> {
        let mut gaps = Vec::with_capacity(tokens.len() + 1);
        let mut end = 0;
        for (_, span) in tokens {
            gaps.push(Gap::read(&text[end..span.start as usize], end == 0));
            end = span.end as usize;
        }
        gaps.push(Gap::read(&text[end..], end == 0));
        Sheet {
            tokens: tokens.iter().map(|(t, s)| (*t, &text[s.start as usize..s.end as usize])).collect(),
            spans: tokens.iter().map(|(_, s)| (s.start, s.end)).collect(),
            gaps,
            groups: vec![Group { first: 0, last: tokens.len(), hug: None }],
            dropped: vec![false; tokens.len()],
        }
    }

    /// The token in which the span begins.
    pub(super) fn first(&self, span: Span) -> Tok {
        self.spans.partition_point(|(start, _)| *start <= span.start).saturating_sub(1)
    }

    /// The token in which the span ends.
    pub(super) fn last(&self, span: Span) -> Tok {
        self.spans.partition_point(|(_, end)| *end < span.end).min(self.spans.len().saturating_sub(1))
    }

    /// Whether the token is this symbol.
    pub(super) fn is(&self, tok: Tok, text: &str) -> bool {
        self.tokens.get(tok).is_some_and(|(_, t)| *t == text)
    }

    pub(super) fn group(&mut self, first: Tok, last: Tok) -> GroupId {
        self.groups.push(Group { first, last, hug: None });
        GroupId(self.groups.len() - 1)
    }

    /// Before the token: what stands there, and where a line begins if one does.
    pub(super) fn gap(&mut self, tok: Tok, space: Space, align: Align) {
        if let Some(gap) = self.gaps.get_mut(tok) {
            gap.space = space;
            gap.align = align;
        }
    }

    pub(super) fn glued(&mut self, tok: Tok) {
        self.gap(tok, Space::Glued, Align::Hang);
    }

    pub(super) fn blank(&mut self, tok: Tok) {
        self.gap(tok, Space::Blank, Align::Hang);
    }

    /// A break of the group before the token, which is `offset` to the right of the token `at`.
    pub(super) fn line(&mut self, tok: Tok, group: GroupId, at: Tok, offset: i32) {
        self.gap(tok, Space::Line(group), Align::At(at, offset));
    }

    pub(super) fn keep_blank(&mut self, tok: Tok) {
        if let Some(gap) = self.gaps.get_mut(tok) {
            gap.keep_blank = true;
        }
    }

    /// Leaves a token out. What stands before it, stands before the next.
    pub(super) fn drop(&mut self, tok: Tok) {
        if self.dropped[tok] {
            return;
        }
        self.dropped[tok] = true;
        self.glued(tok);
        self.move_gap(tok, tok + 1);
    }

    /// A separator that begins a line, from this token up to the one before `operand`: what stands behind it is moved before it.
    pub(super) fn leads(&mut self, separator: Tok, operand: Tok) {
        for tok in separator + 1..=operand {
            let own = self.gaps[separator].newline || !self.gaps[separator].comments.is_empty();
            let blank = std::mem::take(&mut self.gaps[tok].blank);
            let newline = std::mem::take(&mut self.gaps[tok].newline);
            let mut comments = std::mem::take(&mut self.gaps[tok].comments);
            if let Some(first) = comments.first_mut() {
                first.own_line |= own;
            }
            let gap = &mut self.gaps[separator];
            gap.newline |= newline;
            gap.blank |= blank;
            gap.comments.append(&mut comments);
        }
    }

    fn move_gap(&mut self, from: Tok, to: Tok) {
        let moved = std::mem::take(&mut self.gaps[from].comments);
        let newline = std::mem::take(&mut self.gaps[from].newline);
        let blank = std::mem::take(&mut self.gaps[from].blank);
        let gap = &mut self.gaps[to];
        if let Some(first) = gap.comments.first_mut()
            && (newline || !moved.is_empty())
        {
            first.own_line = true;
        }
        gap.comments.splice(0..0, moved);
        gap.newline |= newline;
        gap.blank |= blank;
    }
}

impl<'a> Gap<'a> {
    /// What stands in a text of blanks and comments.
    fn read(text: &'a str, begins_file: bool) -> Gap<'a> {
        let mut gap = Gap {
            space: Space::Auto,
            align: Align::Hang,
            comment_align: None,
            comments: vec![],
            newline: false,
            blank: false,
            keep_blank: false,
        };
        let mut ends = 0;
        let mut rest = text.trim_start();
        let mut blanks = &text[..text.len() - rest.len()];
        loop {
            ends += blanks.matches('\n').count();
            gap.newline |= ends > 0;
            if rest.is_empty() {
                break;
            }
            let (comment, behind) = rest.split_at(rest.find('\n').unwrap_or(rest.len()));
            let own_line = ends > 0 || (begins_file && gap.comments.is_empty());
            gap.comments.push(Comment { text: comment.trim_end(), own_line, blank: ends > 1 });
            ends = 0;
            rest = behind.trim_start();
            blanks = &behind[..behind.len() - rest.len()];
        }
        gap.blank = ends > 1;
        gap
    }
}
