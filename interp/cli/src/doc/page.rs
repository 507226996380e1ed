//! The pages, as HTML.

use super::collect::depth;
use super::{Entry, File, Item, Kind, Site};
use std::collections::BTreeMap;
use std::fmt::Write;

const STYLE: &str = include_str!("style.css");

/// All pages, by their paths.
pub fn pages(site: &Site) -> Vec<(String, String)> {
    let mut pages = vec![
        ("style.css".to_string(), STYLE.to_string()),
        ("index.html".to_string(), contents(site)),
        ("names.html".to_string(), names(site)),
    ];
    pages.extend(site.files.iter().map(|file| (format!("doc/{}.html", file.name), file_page(site, file))));
    pages
}

/// Text that may stand in HTML, between tags and in quotes.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            // what HTML cannot hold
            c if c.is_control() && !matches!(c, '\n' | '\t') => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

/// A name as the end of an address.
pub fn fragment(name: &str) -> String {
    let mut out = String::new();
    for byte in name.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'.' | b':' | b'-' => out.push(byte as char),
            // writing to a String does not fail
            _ => drop(write!(out, "%{byte:02X}")),
        }
    }
    out
}

/// The path of a file's page, from the folder of all, as an address.
pub fn address(name: &str) -> String {
    name.split('/').map(fragment).collect::<Vec<_>>().join("/") + ".html"
}

/// A page: `up` leads to the folder of all pages.
fn page(title: &str, up: &str, side: &str, main: &str) -> String {
    format!(
        r#"<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<link rel="stylesheet" href="{up}style.css">
</head>
<body>
<header><nav><a href="{up}index.html">Contents</a> <a href="{up}names.html">Index of names</a></nav></header>
<div class="columns">
{side}<main>
<h1>{title}</h1>
{main}</main>
</div>
<footer>Made by <code>futi doc</code></footer>
</body>
</html>
"#
    )
}

/// The table of contents.
fn contents(site: &Site) -> String {
    let mut main = String::from("<dl class=\"files\">\n");
    for file in &site.files {
        let (name, about) = (escape(&file.name), first_paragraph(&file.about));
        let _ = writeln!(main, "<dt><a href=\"doc/{}\">{name}</a></dt>\n<dd>{about}</dd>", address(&file.name));
    }
    main.push_str("</dl>\n");
    page("Contents", "", "", &main)
}

/// The text of the first paragraph, without what it leads to.
fn first_paragraph(html: &str) -> String {
    let paragraph = html.split("</p>").next().unwrap_or("");
    let parts = paragraph.split('<').enumerate();
    parts.map(|(i, part)| if i == 0 { part } else { part.split_once('>').map_or("", |(_, text)| text) }).collect()
}

/// All names, by their first letters; symbols come first.
fn names(site: &Site) -> String {
    let mut letters: BTreeMap<(bool, char), Vec<(String, String)>> = BTreeMap::new();
    for file in &site.files {
        visit(&file.entries, &mut |item| {
            let (module, base) = item.name.rsplit_once('.').unwrap_or(("", &item.name));
            let first = base.trim_start_matches('_').chars().next().unwrap_or('_');
            let letter = (
                first.is_ascii_alphabetic(),
                if first.is_ascii_alphabetic() { first.to_ascii_uppercase() } else { '+' },
            );
            let kind = match item.kind {
                Kind::Value => "value",
                Kind::Type => "type",
                Kind::Module => "module",
                Kind::ModuleType => "module type",
                Kind::Open => return,
            };
            let within = if module.is_empty() { String::new() } else { format!(" in <code>{}</code>", escape(module)) };
            let line = format!(
                "<li><a href=\"doc/{}#{}\"><code>{}</code></a> <span class=\"where\">{kind}{within} · {}</span></li>\n",
                address(&file.name),
                fragment(&item.anchor),
                escape(base),
                escape(&file.name),
            );
            letters.entry(letter).or_default().push((base.to_lowercase(), line));
        });
    }
    let title =
        |(is_letter, letter): &(bool, char)| if *is_letter { letter.to_string() } else { "Symbols".to_string() };
    let mut main = String::from("<p class=\"letters\">");
    for letter in letters.keys() {
        let _ = write!(main, "<a href=\"#letter-{0}\">{0}</a> ", title(letter));
    }
    main.push_str("</p>\n");
    for (letter, mut lines) in letters {
        lines.sort();
        let _ = writeln!(main, "<h2 id=\"letter-{0}\">{0}</h2>\n<ul class=\"names\">", title(&letter));
        main.extend(lines.into_iter().map(|(_, line)| line));
        main.push_str("</ul>\n");
    }
    page("Index of names", "", "", &main)
}

fn visit(entries: &[Entry], f: &mut impl FnMut(&Item)) {
    for entry in entries {
        if let Entry::Item(item) = entry {
            f(item);
            visit(&item.entries, f);
        }
    }
}

fn file_page(site: &Site, file: &File) -> String {
    let up = "../".repeat(depth(&file.name) + 1);
    let mut main = String::new();
    if !file.about.is_empty() {
        let _ = writeln!(main, "<div class=\"about\">\n{}</div>", file.about);
    }
    write_entries(&file.entries, 2, true, &mut main);
    page(&escape(&file.name), &up, &side(site, file, &up), &main)
}

/// Beside a page: its entries and the other files.
fn side(site: &Site, file: &File, up: &str) -> String {
    let mut out = String::from("<nav class=\"side\">\n");
    let lines: Vec<_> = file.entries.iter().enumerate().filter_map(|(i, entry)| side_line(i, entry)).collect();
    if !lines.is_empty() {
        out.push_str("<h2>On this page</h2>\n<ul>\n");
        out.extend(lines);
        out.push_str("</ul>\n");
    }
    out.push_str("<h2>Files</h2>\n<ul>\n");
    for other in &site.files {
        let current = if other.name == file.name { " aria-current=\"page\"" } else { "" };
        let name = escape(&other.name);
        let _ = writeln!(out, "<li><a href=\"{up}doc/{}\"{current}>{name}</a></li>", address(&other.name));
    }
    out.push_str("</ul>\n</nav>\n");
    out
}

fn side_line(i: usize, entry: &Entry) -> Option<String> {
    Some(match entry {
        Entry::Section { title, .. } => {
            format!("<li class=\"section\"><a href=\"#section-{i}\">{}</a></li>\n", escape(title))
        }
        Entry::Item(item) if item.kind == Kind::Open => return None,
        Entry::Item(item) => {
            format!("<li><a href=\"#{}\"><code>{}</code></a></li>\n", fragment(&item.anchor), escape(&item.name))
        }
    })
}

/// The entries of the file itself (`top`), or of a module.
fn write_entries(entries: &[Entry], level: usize, top: bool, out: &mut String) {
    for (i, entry) in entries.iter().enumerate() {
        match entry {
            Entry::Section { level: below, title } => {
                let h = (level + below - 1).min(6);
                let id = if top { format!(" id=\"section-{i}\"") } else { String::new() };
                let _ = writeln!(out, "<h{h}{id}>{}</h{h}>", escape(title));
            }
            Entry::Item(item) => {
                let id =
                    if item.anchor.is_empty() { String::new() } else { format!(" id=\"{}\"", escape(&item.anchor)) };
                let _ = writeln!(out, "<div class=\"entry\"{id}>\n<pre class=\"signature\">{}</pre>", item.signature);
                if !item.doc.is_empty() {
                    let _ = writeln!(out, "<div class=\"text\">\n{}</div>", item.doc);
                }
                if !item.entries.is_empty() {
                    out.push_str("<div class=\"inside\">\n");
                    write_entries(&item.entries, level + 1, false, out);
                    out.push_str("</div>\n");
                }
                out.push_str("</div>\n");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_escaped() {
        assert_eq!(escape("<a href=\"x\">'&'\u{1}"), "&lt;a href=&quot;x&quot;&gt;&#39;&amp;&#39;\u{fffd}");
        assert_eq!(fragment("term:m.<*>'"), "term:m.%3C%2A%3E%27");
        assert_eq!(address("lib/a b"), "lib/a%20b.html");
        assert_eq!(first_paragraph("<p>A <a href=\"x\"><code>b</code></a>.</p>\n<p>C</p>"), "A b.");
    }
}
