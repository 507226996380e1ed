//! The text of documentation comments: Markdown, as HTML.

use super::page::escape;
use pulldown_cmark::{CowStr, Event, LinkType, Options, Parser, Tag, TagEnd, html};

/// The text of a comment, as HTML that may stand anywhere in a page. Raw HTML in it is shown as it was written, pictures by their descriptions; links that lead
/// to anything but pages and mail by their texts. `link` gives the address of a name in backticks; its second argument is what follows the name: `type` in `` `t`@type ``.
pub fn to_html(comment: &str, link: &dyn Fn(&str, Option<&str>) -> Option<String>) -> String {
    let text: Vec<&str> = comment.lines().map(|line| line.strip_prefix(' ').unwrap_or(line)).collect();
    let text = text.join("\n");
    let mut events = vec![];
    let mut parser = Parser::new_ext(&text, Options::ENABLE_TABLES).peekable();
    // whether each link that has begun is one on the page; a name within one is no link
    let mut links = vec![];
    while let Some(event) = parser.next() {
        events.push(match event {
            Event::Html(html) | Event::InlineHtml(html) => Event::Text(html),
            Event::Start(Tag::HtmlBlock) => Event::Start(Tag::Paragraph),
            Event::End(TagEnd::HtmlBlock) => Event::End(TagEnd::Paragraph),
            Event::Start(Tag::Image { .. }) | Event::End(TagEnd::Image) => continue,
            // the page has headings of its own above these
            Event::Start(Tag::Heading { .. }) => Event::InlineHtml("<p class=\"heading\">".into()),
            Event::End(TagEnd::Heading(_)) => Event::InlineHtml("</p>\n".into()),
            Event::Start(Tag::Link { link_type, dest_url, title, id }) => {
                links.push(link_type == LinkType::Email || is_harmless(&dest_url));
                if links.last() != Some(&true) {
                    continue;
                }
                Event::Start(Tag::Link { link_type, dest_url, title, id })
            }
            Event::End(TagEnd::Link) => {
                if links.pop() != Some(true) {
                    continue;
                }
                Event::End(TagEnd::Link)
            }
            Event::Code(name) if !links.contains(&true) => {
                let mut space = None;
                if let Some(Event::Text(next)) = parser.peek()
                    && let Some((marked, rest)) = marker(next)
                {
                    space = Some(marked);
                    let rest = CowStr::from(rest.to_string());
                    parser.next();
                    events.push(code(&name, link(&name, space)));
                    if !rest.is_empty() {
                        events.push(Event::Text(rest));
                    }
                    continue;
                }
                code(&name, link(&name, space))
            }
            other => other,
        });
    }
    let mut out = String::new();
    html::push_html(&mut out, events.into_iter());
    out
}

fn code(name: &str, link: Option<String>) -> Event<'static> {
    let name = escape(name);
    Event::InlineHtml(match link {
        Some(link) => format!("<a href=\"{}\"><code>{name}</code></a>", escape(&link)).into(),
        None => format!("<code>{name}</code>").into(),
    })
}

/// What `@type`, `@term` or `@mtype` at the start of a text says, and what follows; the file that may be named, too, goes without saying.
fn marker(text: &str) -> Option<(&'static str, &str)> {
    let (space, rest) = ["@type", "@term", "@mtype"].iter().find_map(|s| Some((&s[1..], text.strip_prefix(s)?)))?;
    let file = rest.strip_prefix("@\"").and_then(|r| r.split_once('"'));
    Some((space, file.map_or(rest, |(_, rest)| rest)))
}

/// Whether an address is that of a page, or of a place in one.
fn is_harmless(address: &str) -> bool {
    // browsers leave these out before they look for the scheme
    if address.chars().any(|c| c.is_control() || c.is_whitespace()) {
        return false;
    }
    let before_path = address.split(['/', '?', '#']).next().unwrap_or("");
    match before_path.split_once(':') {
        Some((scheme, _)) => ["http", "https", "mailto"].iter().any(|s| scheme.eq_ignore_ascii_case(s)),
        None => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn html(text: &str) -> String {
        to_html(text, &|name, space| (name == "known").then(|| format!("there#{}", space.unwrap_or("any"))))
    }

    #[test]
    fn comments_are_markdown() {
        assert_eq!(html(" One\n two.\n\n * a\n * b"), "<p>One\ntwo.</p>\n<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n");
        assert_eq!(html(" See `x < y`."), "<p>See <code>x &lt; y</code>.</p>\n");
        assert_eq!(html(" # Title"), "<p class=\"heading\">Title</p>\n");
    }

    #[test]
    fn names_are_links() {
        assert_eq!(html(" `known`"), "<p><a href=\"there#any\"><code>known</code></a></p>\n");
        assert_eq!(
            html(" `known`@type, `x`@term"),
            "<p><a href=\"there#type\"><code>known</code></a>, <code>x</code></p>\n"
        );
        assert_eq!(html(" `known`@term@\"a/b\"!"), "<p><a href=\"there#term\"><code>known</code></a>!</p>\n");
        assert_eq!(html(" [`known`](p.html)"), "<p><a href=\"p.html\"><code>known</code></a></p>\n");
    }

    #[test]
    fn nothing_runs() {
        let out = html(" <script>alert(1)</script> and <b onclick=\"f()\">b</b>\n\n <div>\n x\n </div>");
        assert!(!out.contains("<script") && !out.contains("<b") && !out.contains("<div"), "{out}");
        assert!(out.contains("&lt;script&gt;"), "{out}");
        for address in
            ["javascript:alert(1)", "JavaScript:alert(1)", "data:text/html,x", "java\tscript:x", "vbscript:x"]
        {
            for text in [format!(" [a](<{address}>)"), format!(" [a]\n\n [a]: <{address}>"), format!(" <{address}>")] {
                let out = html(&text).to_lowercase();
                assert!(
                    !out.contains("href=\"java") && !out.contains("href=\"data") && !out.contains("href=\"vb"),
                    "{out}"
                );
            }
        }
        assert_eq!(
            html(" ![pic](javascript:x) [a `known`](javascript:x)"),
            "<p>pic a <a href=\"there#any\"><code>known</code></a></p>\n"
        );
        assert!(html(" [a](https://b.c/d:e)").contains("href=\"https://b.c/d:e\""));
        assert!(html(" [a](b.html#c:d)").contains("href=\"b.html#c:d\""));
        assert!(html(" <me@here.org>").contains("href=\"mailto:me@here.org\""));
    }
}
