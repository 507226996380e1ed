//! `futi doc` as a person meets it: the pages, what they lead to, that they are HTML.

mod files;

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

/// Runs `futi doc` in a folder with these files; gives exit status, standard output, standard error.
fn doc(folder: &TempDir, files: &[(&str, &str)], args: &[&str]) -> (i32, String, String) {
    files::write(folder, files);
    let out = Command::new(env!("CARGO_BIN_EXE_futi")).arg("doc").args(args).current_dir(folder).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (out.status.code().unwrap_or(-1), text(out.stdout), text(out.stderr))
}

/// The pages in a folder, by their paths in it.
fn pages(folder: &Path) -> HashMap<String, String> {
    fn visit(folder: &Path, prefix: &str, found: &mut HashMap<String, String>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let entry = entry.unwrap();
            let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
            if entry.path().is_dir() {
                visit(&entry.path(), &format!("{name}/"), found);
            } else if name.ends_with(".html") {
                found.insert(name, std::fs::read_to_string(entry.path()).unwrap());
            }
        }
    }
    let mut found = HashMap::new();
    visit(folder, "", &mut found);
    found
}

/// The values of an attribute on a page.
fn attributes<'a>(page: &'a str, name: &str) -> Vec<&'a str> {
    page.split(&format!(" {name}=\"")).skip(1).map(|rest| rest.split('"').next().unwrap()).collect()
}

/// That each tag is closed where it must be, that nothing but tags and references has their characters, and that no two places have one name.
fn is_well_formed(path: &str, page: &str) {
    let body = page.strip_prefix("<!DOCTYPE html>").unwrap_or_else(|| panic!("{path}"));
    let mut open: Vec<&str> = vec![];
    let mut rest = body;
    while let Some(at) = rest.find('<') {
        assert!(!rest[..at].contains('>'), "{path}: {}", &rest[..at]);
        let end = rest[at..].find('>').unwrap() + at;
        let tag = &rest[at + 1..end];
        rest = &rest[end + 1..];
        let name = tag.trim_start_matches('/').split([' ', '\n']).next().unwrap();
        if let Some(closed) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(closed), "{path}: before {}", rest.chars().take(80).collect::<String>());
        } else if !["meta", "link", "br", "hr"].contains(&name) {
            // a link in a link is none
            assert!(name != "a" || !open.contains(&"a"), "{path}: {tag}");
            assert!(
                !(open.contains(&"p") && ["p", "div", "ul", "pre"].contains(&name)),
                "{path}: {tag} in a paragraph"
            );
            open.push(name);
        }
    }
    assert_eq!(open, [""; 0], "{path}");
    for reference in body.split('&').skip(1) {
        let name = reference.split(';').next().unwrap();
        assert!(["amp", "lt", "gt", "quot", "#39"].contains(&name), "{path}: &{name}");
    }
    let ids = attributes(page, "id");
    assert_eq!(ids.len(), ids.iter().collect::<HashSet<_>>().len(), "{path}: {ids:?}");
}

/// What a percent-encoded address says.
fn decoded(text: &str) -> String {
    let mut bytes = vec![];
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let digits = [rest.next().unwrap(), rest.next().unwrap()];
            bytes.push(u8::from_str_radix(std::str::from_utf8(&digits).unwrap(), 16).unwrap());
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).unwrap()
}

/// That all pages are well-formed, and that each link within them leads somewhere.
fn check(pages: &HashMap<String, String>) {
    let unescape = |id: &str| id.replace("&lt;", "<").replace("&gt;", ">").replace("&#39;", "'").replace("&amp;", "&");
    for (path, page) in pages {
        is_well_formed(path, page);
        for link in attributes(page, "href") {
            if link.starts_with("http") || link.ends_with(".css") {
                continue;
            }
            let (file, place) = link.split_once('#').map_or((link, None), |(f, p)| (f, Some(p)));
            let mut parts: Vec<&str> = path.split('/').collect();
            if !file.is_empty() {
                parts.pop();
                for part in file.split('/') {
                    match part {
                        ".." => drop(parts.pop().unwrap()),
                        part => parts.push(part),
                    }
                }
            }
            let target = decoded(&parts.join("/"));
            let there = pages.get(&target).unwrap_or_else(|| panic!("{path} leads to {target}"));
            if let Some(place) = place {
                let ids: Vec<String> = attributes(there, "id").into_iter().map(unescape).collect();
                assert!(ids.contains(&decoded(place)), "{path} leads to {link}");
            }
        }
    }
}

const LIB: &str = "-- | Vectors of the plane.
--
-- See `norm`.

import \"inner/base\"

-- # Types

-- | A vector.
type vec = {x: scalar, y: scalar}

-- # Functions

-- | The length of `v`, a `vec`@type. Compare `helpers.twice` and <b>this</b>.
--
-- * one
-- * `a < b && c`
def norm (v: vec) : scalar = f64.sqrt (v.x * v.x + v.y * v.y)

def undocumented [n] 'vec (xs: [n]vec) (f: scalar -> vec) = map f xs
local def hidden = 1

-- | Sum.
def (<+>) (a: vec) (b: vec) : vec = {x = a.x + b.x, y = a.y + b.y}

-- | What is asked.
module type monoid = {
  -- | The elements.
  type t
  -- ## Operations
  val neutral : t
  val op : t -> t -> vec
}

module helpers = {
  -- | Twice.
  def twice (x: scalar) = x + x
}

module sums : monoid with t = vec = {
  type t = vec
  def neutral = {x = 0, y = 0}
  def op = (<+>)
}

module pairs (m: monoid) = {
  def op (a: m.t) (b: m.t) : (m.t, sums.t) = m.op a b
}

open import \"inner/base\"
";

const BASE: &str = "-- | The numbers.
type scalar = f64
";

#[test]
fn pages_say_what_comments_say() {
    let folder = tempfile::tempdir().unwrap();
    let (code, out, err) = doc(&folder, &[("src/lib.fut", LIB), ("src/inner/base.fut", BASE)], &["-o", "out", "src"]);
    assert_eq!((code, out.trim(), err.as_str()), (0, "out/index.html", ""));
    let pages = pages(&folder.path().join("out"));
    let mut paths: Vec<_> = pages.keys().map(String::as_str).collect();
    paths.sort();
    assert_eq!(paths, ["doc/inner/base.html", "doc/lib.html", "index.html", "names.html"]);
    check(&pages);

    let lib = &pages["doc/lib.html"];
    for part in [
        // the file's own comment, with a link to what is declared below it
        "<p>Vectors of the plane.</p>\n<p>See <a href=\"lib.html#term:norm\"><code>norm</code></a>.</p>",
        "<h2 id=\"section-0\">Types</h2>",
        "<h2 id=\"section-2\">Functions</h2>",
        // a type of another file
        "<span class=\"keyword\">type</span> <a class=\"name\" href=\"#type:vec\">vec</a> = {x: <a href=\"inner/base.html#type:scalar\">scalar</a>,",
        // name, parameter, type of the result; not the body
        "<a class=\"name\" href=\"#term:norm\">norm</a> (v: <a href=\"lib.html#type:vec\">vec</a>) : <a href=\"inner/base.html#type:scalar\">scalar</a></pre>",
        // Markdown; the parameter is no link, and raw HTML is text
        "The length of <code>v</code>, a <a href=\"lib.html#type:vec\"><code>vec</code></a>. Compare <a href=\"lib.html#term:helpers.twice\"><code>helpers.twice</code></a> and &lt;b&gt;this&lt;/b&gt;.",
        "<li><code>a &lt; b &amp;&amp; c</code></li>",
        // the type parameter hides the type
        "[n] &#39;vec (xs: [n]vec) (f: <a href=\"inner/base.html#type:scalar\">scalar</a> -&gt; vec)</pre>",
        "id=\"term:&lt;+&gt;\"",
        "<a class=\"name\" href=\"#modtype:monoid\">monoid</a></pre>\n<div class=\"text\">\n<p>What is asked.</p>\n</div>\n<div class=\"inside\">",
        "<p>The elements.</p>",
        ">Operations</h4>",
        "<a href=\"lib.html#type:monoid.t\">t</a> -&gt; <a href=\"lib.html#type:monoid.t\">t</a> -&gt; <a href=\"lib.html#type:vec\">vec</a>",
        "<a class=\"name\" href=\"#term:sums\">sums</a> : <a href=\"lib.html#modtype:monoid\">monoid</a>",
        // a parameter's type is that of its module type, and so is that of a module behind one
        "(a: m.<a href=\"lib.html#type:monoid.t\">t</a>)",
        "<a href=\"lib.html#term:sums\">sums</a>.<a href=\"lib.html#type:monoid.t\">t</a>",
        "<span class=\"keyword\">open</span> <span class=\"keyword\">import</span> <a href=\"inner/base.html\">&quot;inner/base&quot;</a>",
    ] {
        assert!(lib.contains(part), "{part}\n{lib}");
    }
    assert!(!lib.contains("hidden"));

    let index = &pages["index.html"];
    assert!(index.contains("<dt><a href=\"doc/lib.html\">lib</a></dt>\n<dd>Vectors of the plane.</dd>"), "{index}");
    let names = &pages["names.html"];
    let order = [
        "id=\"letter-Symbols\"",
        ">&lt;+&gt;<",
        "id=\"letter-H\"",
        ">helpers<",
        "id=\"letter-N\"",
        ">norm<",
        ">twice<",
        ">vec<",
    ];
    let places: Vec<_> =
        order.iter().map(|name| names.find(name).unwrap_or_else(|| panic!("{name}\n{names}"))).collect();
    assert!(places.is_sorted(), "{places:?}");
    assert!(names.contains("<span class=\"where\">value in <code>helpers</code> · lib</span>"), "{names}");
}

#[test]
fn nothing_in_a_program_is_code_on_a_page() {
    let folder = tempfile::tempdir().unwrap();
    let text = "-- | Of <script>alert('x')</script> [a](javascript:alert(1)) ![b](x)\n--\n-- <div>\n\n-- # <i>Title</i> & \"more\"\n\n\
                -- | ```\n-- </code></pre><script>\n-- ```\ndef x' (a: #b' {c: i32}) = \"<script>\" && a\n\ndef x' = 2\nopen { def y = 1 }\n";
    let (code, _, err) = doc(&folder, &[("a & b's/<c>.fut", text)], &["."]);
    assert_eq!((code, err.as_str()), (0, ""));
    // the folder for pages if none is named
    let pages = pages(&folder.path().join("doc"));
    check(&pages);
    let page = &pages["doc/a & b's/<c>.html"];
    assert!(
        !page.contains("<script")
            && !page.contains("=\"javascript")
            && !page.contains("href=\"#\"")
            && !page.contains("<i>"),
        "{page}"
    );
    assert!(page.contains("&lt;i&gt;Title&lt;/i&gt; &amp; &quot;more&quot;"), "{page}");
}

#[test]
fn the_prelude_has_pages() {
    let folder = tempfile::tempdir().unwrap();
    let prelude = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../core/prelude");
    let (code, _, err) = doc(&folder, &[], &["-o", "out", &prelude.to_string_lossy()]);
    assert_eq!((code, err.as_str()), (0, ""));
    let pages = pages(&folder.path().join("out"));
    check(&pages);
    // a plain comment at the top will do
    assert!(pages["index.html"].contains("<dd>Arrays: new ones, parts"), "{}", pages["index.html"]);
    assert!(pages["doc/soacs.html"].contains("<div class=\"entry\" id=\"term:reduce\">"));
    assert!(pages["names.html"].contains("<a href=\"doc/math.html#term:f64.%2B\"><code>+</code></a>"));
}

#[test]
fn files_that_import_one_another_have_pages() {
    let folder = tempfile::tempdir().unwrap();
    let files = [("a.fut", "import \"b\"\ntype t = u\n"), ("b.fut", "import \"a\"\ntype u = t\nimport \"nowhere\"\n")];
    assert_eq!(doc(&folder, &files, &["-o", "out", "a.fut", "b.fut", "./a.fut"]).0, 0);
    let pages = pages(&folder.path().join("out"));
    check(&pages);
    assert_eq!(pages.len(), 4);
    assert!(pages["doc/a.html"].contains("= <a href=\"b.html#type:u\">u</a>"));
}

/// As `futhark doc -v` of 0.25.32 does, on standard error.
#[test]
fn files_are_named_if_asked() {
    let folder = tempfile::tempdir().unwrap();
    let (code, out, err) = doc(&folder, &[("a.fut", "-- | One.\ndef x = 1i32\n")], &["-v", "-o", "out", "."]);
    assert_eq!((code, out.as_str()), (0, "out/index.html\n"), "{err}");
    assert!(err.starts_with("Found source file ./a.fut\n") && err.contains("Writing out/doc/a.html\n"), "{err}");
    let written: Vec<&str> = err.lines().filter_map(|l| l.strip_prefix("Writing ")).collect();
    assert!(written.len() == 4 && written.iter().all(|path| folder.path().join(path).is_file()), "{err}");
    assert_eq!(doc(&folder, &[], &["-o", "out", "."]).2, "");
    assert_eq!(doc(&folder, &[], &["--verbose", "-o", "out", "."]).2, err);
}

#[test]
fn what_is_wrong_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let (code, out, err) = doc(&folder, &[("a.fut", "def f = (\n")], &["-o", "out", "."]);
    assert_eq!((code, out.as_str()), (2, ""));
    assert!(err.contains("a.fut:"), "{err}");
    assert!(!folder.path().join("out").exists());
    let (code, _, err) = doc(&folder, &[], &["-o", "out", "nowhere"]);
    assert_eq!(code, 2);
    assert!(err.starts_with("error E0001: nowhere cannot be read: No such file"), "{err}");
    std::fs::create_dir(folder.path().join("empty")).unwrap();
    let (code, _, err) = doc(&folder, &[], &["empty"]);
    assert_eq!((code, err.as_str()), (1, "futi: there are no programs (files that end in .fut)\n"));
}
