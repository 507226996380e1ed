//! `futi run` with arguments by name and files in the formats that people have. The files are made here byte by byte, as NumPy's documentation of its format has them.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

/// Runs `futi` in a folder, with this on standard input.
fn futi(folder: &Path, args: &[&str], input: &[u8]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_futi"));
    command.current_dir(folder).args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // one that reads nothing may be gone already
    let _ = child.stdin.take().unwrap().write_all(input);
    child.wait_with_output().unwrap()
}

/// An array as NumPy writes it: `descr` says what the elements are, `fortran` whether columns come first.
fn npy(descr: &str, fortran: bool, shape: &str, elements: &[u8]) -> Vec<u8> {
    let order = if fortran { "True" } else { "False" };
    let mut header = format!("{{'descr': '{descr}', 'fortran_order': {order}, 'shape': {shape}, }}");
    while (10 + header.len() + 1) % 64 != 0 {
        header.push(' ');
    }
    header.push('\n');
    let mut file = b"\x93NUMPY\x01\x00".to_vec();
    file.extend((header.len() as u16).to_le_bytes());
    file.extend(header.bytes());
    file.extend(elements);
    file
}

fn f64s(xs: &[f64]) -> Vec<u8> {
    xs.iter().flat_map(|x| x.to_le_bytes()).collect()
}

fn archive(members: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, bytes) in members {
        writer.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// An image of two pixels, red and half transparent blue, or one of 16 bits a channel.
fn image(depth: png::BitDepth) -> Vec<u8> {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, 2, 1);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(depth);
    let wide = |x: u8| if depth == png::BitDepth::Sixteen { vec![x, 0] } else { vec![x] };
    let bytes: Vec<u8> = [255, 0, 0, 255, 0, 0, 255, 128].into_iter().flat_map(wide).collect();
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(&bytes).unwrap();
    writer.finish().unwrap();
    file
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

const PROGRAM: &str = "
type point = {x: f64, y: f64}
entry main [n] (xs: [n]f64) (k: f64) = (map (* k) xs, n)
entry matrix [n][m] (a: [n][m]f64) = (a, n, m)
entry points [n] (ps: [n]point) = {sum = f64.sum (map (.x) ps) + f64.sum (map (.y) ps), swapped = map (\\p -> {x = p.y, y = p.x}) ps}
entry point (p: point) (by: (f64, i32)) = p.x * by.0 + p.y + f64.i32 by.1
entry flags [n] (b: [n]bool) (h: [n]f16) (i: [n]i8) (u: [n]u64) = (b, h, i, u)
entry picture [h][w] (pixels: [h][w]u32) = pixels
entry scalar (x: f32) = x * 2
entry columns [n] (p: ([n]i64, [n]f32)) = p
entry column [n] (xs: [n]i32) = reduce (+) 0 xs
entry nothing (_: ()) = 7i32
entry bytes [n] (xs: [n]u8) = xs
entry unnamed (_: i32) (x: i32) = x
";

/// A folder with the program and files.
fn folder(files: &[(&str, Vec<u8>)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("p.fut"), PROGRAM).unwrap();
    for (name, bytes) in files {
        std::fs::write(folder.path().join(name), bytes).unwrap();
    }
    folder
}

/// What an entry point says on standard output, with a blank for each end of a line.
fn said(folder: &TempDir, entry: &str, args: &[&str]) -> String {
    let out = futi(folder.path(), &[&["run", "p.fut", "-e", entry], args].concat(), b"");
    assert!(out.status.success(), "{entry} {args:?}: {}", String::from_utf8_lossy(&out.stderr));
    String::from_utf8(out.stdout).unwrap().lines().collect::<Vec<_>>().join(" ")
}

#[test]
fn arguments_by_name() {
    let xs = npy("<f8", false, "(2,)", &f64s(&[1.0, 2.5]));
    let big: Vec<u8> = [1.0f64, 2.5].iter().flat_map(|x| x.to_be_bytes()).collect();
    // by columns: 1 2 3 and 4 5 6 are the columns
    let columns = npy("<f8", true, "(3, 2)", &f64s(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]));
    let row: Vec<u8> = [0x3c00u16, 0xc000].iter().flat_map(|x| x.to_le_bytes()).collect();
    let folder = folder(&[
        ("xs.npy", xs.clone()),
        ("xs.npy.gz", gzip(&xs)),
        ("big.npy", npy(">f8", false, "(2,)", &big)),
        ("a.npy", columns),
        ("none.npy", npy("<f8", false, "(0, 3)", &[])),
        ("x.npy", npy("<f4", false, "()", &1.5f32.to_le_bytes())),
        ("b.npy", npy("|b1", false, "(2,)", &[1, 0])),
        ("h.npy", npy("<f2", false, "(2,)", &row)),
        ("i.npy", npy("|i1", false, "(2,)", &[255, 1])),
        ("u.npy", npy("<u8", false, "(2,)", &[0xff; 16])),
        ("p.npz", archive(&[("y.npy", f64_scalar(2.0)), ("x.npy", f64_scalar(1.0))])),
        ("one.npz", archive(&[("whatever.npy", xs)])),
        (
            "t.npz",
            archive(&[("arr_1.npy", npy("<i4", false, "()", &3i32.to_le_bytes())), ("arr_0.npy", f64_scalar(0.5))]),
        ),
        ("points.csv", b"name,y,x\na,10,1\n\"b, c\",20,2e0\n".to_vec()),
        ("m.csv", b"u,v\n1,2\n3.5,NaN\n".to_vec()),
        ("t.csv", b"count, weight\n1, 0.5\n-2, inf\n".to_vec()),
        ("c.csv", b"n\r\n1\r\n2\r\n".to_vec()),
        ("image.png", image(png::BitDepth::Eight)),
        ("deep.png", image(png::BitDepth::Sixteen)),
        ("xs.in", b"-- two\n[1.0, 2.5]".to_vec()),
    ]);
    let half = |x: &str| format!("xs=@{x}");
    for file in ["xs.npy", "xs.npy.gz", "big.npy", "one.npz", "xs.in"] {
        assert_eq!(said(&folder, "main", &["k=2", &half(file)]), "[2.0f64, 5.0f64] 2i64", "{file}");
    }
    assert_eq!(said(&folder, "main", &["xs=[1, 2]", "k=0.5"]), "[0.5f64, 1.0f64] 2i64");
    let matrix = "[[1.0f64, 4.0f64], [2.0f64, 5.0f64], [3.0f64, 6.0f64]] 3i64 2i64";
    assert_eq!(said(&folder, "matrix", &["a=@a.npy"]), matrix);
    assert_eq!(said(&folder, "matrix", &["a=@none.npy"]), "empty([0][3]f64) 0i64 3i64");
    assert_eq!(said(&folder, "matrix", &["a=@m.csv"]), "[[1.0f64, 2.0f64], [3.5f64, f64.nan]] 2i64 2i64");
    assert_eq!(said(&folder, "scalar", &["x=@x.npy"]), "3.0f32");
    let flags = said(&folder, "flags", &["b=@b.npy", "h=@h.npy", "i=@i.npy", "u=@u.npy"]);
    assert_eq!(flags, "[true, false] [1.0f16, -2.0f16] [-1i8, 1i8] [18446744073709551615u64, 18446744073709551615u64]");
    // 1 · 0.5 + 2 + 3
    for p in [&["p=@p.npz"][..], &["p.x=1", "p.y=2"], &["p=1.0 2.0"]] {
        for by in [&["by=@t.npz"][..], &["by.1=3", "by.0=0.5"]] {
            assert_eq!(said(&folder, "point", &[p, by].concat()), "5.5f64");
        }
    }
    let points = said(&folder, "points", &["ps=@points.csv"]);
    assert_eq!(points, "33.0f64 [10.0f64, 20.0f64] [1.0f64, 2.0f64]");
    assert_eq!(said(&folder, "columns", &["p=@t.csv"]), "[1i64, -2i64] [0.5f32, f32.inf]");
    assert_eq!(said(&folder, "column", &["xs=@c.csv"]), "3i32");
    for file in ["image.png", "deep.png"] {
        assert_eq!(said(&folder, "picture", &[&format!("pixels=@{file}")]), "[[4294901760u32, 2147483903u32]]");
    }
    assert_eq!(said(&folder, "unnamed", &["x=2", "0=1"]), "2i32");
    assert_eq!(said(&folder, "nothing", &[]), "7i32");
}

fn f64_scalar(x: f64) -> Vec<u8> {
    npy("<f8", false, "()", &x.to_le_bytes())
}

/// What is written is read again, and is the bytes that it should be where there is one way to write it.
#[test]
fn results_in_files() {
    let folder = folder(&[("image.png", image(png::BitDepth::Eight))]);
    let path = |name: &str| folder.path().join(name);
    let run = |entry: &str, args: &[&str]| assert_eq!(said(&folder, entry, args), "", "{entry}");

    run(
        "main",
        &[
            "xs=[1, 2]",
            "k=2",
            "-o",
            "0=xs.npy",
            "-o",
            "1=n.npy",
            "-o",
            "all.npz",
            "--output=0=xs.npy.gz",
            "-o",
            "1=n.bin",
        ],
    );
    let xs = std::fs::read(path("xs.npy")).unwrap();
    assert!(xs.starts_with(b"\x93NUMPY\x01\x00") && xs.ends_with(&f64s(&[2.0, 4.0])) && (xs.len() - 16) % 64 == 0);
    assert_eq!(said(&folder, "main", &["xs=@xs.npy", "k=1"]), "[2.0f64, 4.0f64] 2i64");
    assert_eq!(said(&folder, "main", &["xs=@xs.npy.gz", "k=1"]), "[2.0f64, 4.0f64] 2i64");
    assert_eq!(std::fs::read(path("n.bin")).unwrap(), b"b\x02\x00 i64\x02\0\0\0\0\0\0\0");
    let mut all = zip::ZipArchive::new(std::fs::File::open(path("all.npz")).unwrap()).unwrap();
    let mut member = Vec::new();
    std::io::Read::read_to_end(&mut all.by_name("1.npy").unwrap(), &mut member).unwrap();
    assert_eq!(member, std::fs::read(path("n.npy")).unwrap());

    run("points", &["ps=[1, 2] [10, 20.5]", "-o", "swapped=points.csv", "-o", "sum=sum.txt"]);
    assert_eq!(std::fs::read_to_string(path("points.csv")).unwrap(), "x,y\n10,1\n20.5,2\n");
    assert_eq!(std::fs::read_to_string(path("sum.txt")).unwrap(), "33.5f64\n");
    run("matrix", &["a=[[1, 2], [3, 4]]", "-o", "0=a.csv"]);
    assert_eq!(std::fs::read_to_string(path("a.csv")).unwrap(), "0,1\n1,2\n3,4\n");
    run("picture", &["pixels=@image.png", "-o", "same.png"]);
    assert_eq!(said(&folder, "picture", &["pixels=@same.png"]), "[[4294901760u32, 2147483903u32]]");

    let out = futi(folder.path(), &["run", "p.fut", "-e", "scalar", "-b", "--time"], b"1.5f32");
    assert_eq!(out.stdout, b"b\x02\x00 f32\0\0\x40\x40");
    assert!(String::from_utf8(out.stderr).unwrap().starts_with("compiled in "));
    // what one program has written in binary, another one reads
    let out = futi(folder.path(), &["run", "p.fut", "-e", "scalar"], b"b\x02\x00 f32\0\0\x40\x40");
    assert_eq!(out.stdout, b"6.0f32\n");
}

/// Each ends with status 1 and one line, which says which argument it is, what is wanted, and what is there.
#[test]
fn what_is_wrong_is_said_in_a_line() {
    let xs = npy("<f8", false, "(2,)", &f64s(&[1.0, 2.5]));
    let cut = xs[..xs.len() - 1].to_vec();
    let deep = |shape: &str| npy("<f8", false, shape, &f64s(&[1.0]));
    let folder = folder(&[
        ("cut.npy", cut.clone()),
        ("header.npy", xs[..40].to_vec()),
        ("ints.npy", npy("<i8", false, "(2,)", &[0; 16])),
        ("flat.npy", npy("<f8", false, "(4,)", &f64s(&[1.0; 4]))),
        ("huge.npy", deep("(9223372036854775807, 9223372036854775807)")),
        ("none.npy", npy("<f8", false, "(0, 4294967296, 4294967296)", &[])),
        ("odd.npy", String::from_utf8_lossy(&deep("(4294967296, 4294967296)")[10..]).replace('\'', "\"").into_bytes()),
        ("large.npy", npy("<f8", false, "(0, 18446744073709551615)", &[])),
        ("text.npy", b"no array".to_vec()),
        ("words.npy", npy("<U3", false, "(1,)", &[0; 12])),
        ("complex.npy", npy("<c16", false, "(1,)", &[0; 16])),
        ("records.npy", records()),
        ("empty.npy", Vec::new()),
        ("cut.npy.gz", gzip(&cut)),
        ("torn.npy.gz", gzip(&xs)[..20].to_vec()),
        ("p.npz", archive(&[("x.npy", f64_scalar(1.0)), ("z.npy", f64_scalar(1.0))])),
        ("cut.npz", archive(&[("x.npy", cut.clone()), ("y.npy", f64_scalar(1.0))])),
        ("no.npz", b"PK no archive".to_vec()),
        ("word.csv", b"x,y\n1,2\n3,four\n".to_vec()),
        ("hole.csv", b"x,y\n1,\n".to_vec()),
        ("short.csv", b"x,y\n1,2\n3\n".to_vec()),
        ("other.csv", b"x,z\n1,2\n".to_vec()),
        ("large.csv", b"n\n1\n3000000000\n".to_vec()),
        ("two.csv", b"n,m\n1,2\n".to_vec()),
        ("bytes.csv", b"n\n\xff\n".to_vec()),
        ("bare.csv", b"1.0,2.0\n3.0,4.0\n".to_vec()),
        ("empty.csv", Vec::new()),
        ("no.png", b"GIF89a".to_vec()),
        ("cut.png", image(png::BitDepth::Eight)[..60].to_vec()),
        ("image.png", image(png::BitDepth::Eight)),
        ("words.in", b"[1.0, two]".to_vec()),
        ("two.in", b"[1.0] [2.0]".to_vec()),
        ("x.tar", Vec::new()),
    ]);
    let cases: &[(&str, &[&str], &[&str])] = &[
        ("main", &["xs=@cut.npy", "k=1"], &["`xs`", "cut.npy", "ends before its last element"]),
        ("main", &["xs=@header.npy", "k=1"], &["`xs`", "header.npy", "no array of NumPy"]),
        ("main", &["xs=@ints.npy", "k=1"], &["`xs`", "ints.npy", "[2]i64", "[n]f64"]),
        ("matrix", &["a=@flat.npy"], &["`a`", "flat.npy", "[4]f64", "[n][m]f64"]),
        ("matrix", &["a=@huge.npy"], &["`a`", "huge.npy", "ends before its last element"]),
        ("matrix", &["a=@none.npy"], &["`a`", "none.npy", "ends before its last element"]),
        ("matrix", &["a=@large.npy"], &["`a`", "large.npy", "ends before its last element"]),
        ("matrix", &["a=@odd.npy"], &["`a`", "odd.npy"]),
        ("main", &["xs=@text.npy", "k=1"], &["`xs`", "text.npy", "no array of NumPy"]),
        ("bytes", &["xs=[300]"], &["`xs`", "[n]u8 is wanted"]),
        ("main", &["xs=@words.npy", "k=1"], &["`xs`", "words.npy", "no numbers of Futi"]),
        ("main", &["xs=@complex.npy", "k=1"], &["`xs`", "complex.npy", "no numbers of Futi"]),
        ("main", &["xs=@records.npy", "k=1"], &["`xs`", "records.npy", "no numbers"]),
        ("main", &["xs=@empty.npy", "k=1"], &["`xs`", "empty.npy", "no array of NumPy"]),
        ("main", &["xs=@cut.npy.gz", "k=1"], &["`xs`", "cut.npy.gz", "ends before its last element"]),
        ("main", &["xs=@torn.npy.gz", "k=1"], &["`xs`", "torn.npy.gz"]),
        ("main", &["xs=@nowhere.npy", "k=1"], &["`xs`", "nowhere.npy", "No such file"]),
        ("main", &["xs=@.npy", "k=1"], &["`xs`", ".npy", "No such file"]),
        ("main", &["xs=@x.tar", "k=1"], &["`xs`", "x.tar", "its format is told by its extension"]),
        ("point", &["p=@p.npz", "by=1 2"], &["`p`", "p.npz", "no array `y`", "`x`, `z`"]),
        ("point", &["p=@cut.npz", "by=1 2"], &["`p`", "cut.npz", "`x` in it", "ends before its last element"]),
        ("point", &["p=@no.npz", "by=1 2"], &["`p`", "no.npz", "no archive of arrays"]),
        ("main", &["xs=@p.npz", "k=1"], &["`xs`", "p.npz", "2 arrays where one is wanted", "`x`, `z`"]),
        ("points", &["ps=@word.csv"], &["`ps`", "word.csv", "line 3, column `y`", "`four` is no f64"]),
        ("points", &["ps=@hole.csv"], &["`ps`", "hole.csv", "line 2, column `y`", "an empty cell"]),
        ("points", &["ps=@short.csv"], &["`ps`", "short.csv", "no table"]),
        ("points", &["ps=@other.csv"], &["`ps`", "other.csv", "no column `y`", "`x`, `z`"]),
        ("column", &["xs=@large.csv"], &["`xs`", "large.csv", "line 3", "`3000000000` is no i32"]),
        ("column", &["xs=@two.csv"], &["`xs`", "two.csv", "`n`, `m`", "1 column"]),
        ("column", &["xs=@bytes.csv"], &["`xs`", "bytes.csv"]),
        ("scalar", &["x=@two.csv"], &["`x`", "two.csv", "a table", "f32 is wanted"]),
        ("matrix", &["a=@bare.csv"], &["`a`", "bare.csv", "first line has no names"]),
        ("matrix", &["a=@empty.csv"], &["`a`", "empty.csv", "first line has no names"]),
        ("matrix", &["a=empty([2][0]f64)", "-o", "0=x.csv"], &["x.csv", "a table has columns"]),
        ("picture", &["pixels=@no.png"], &["`pixels`", "no.png"]),
        ("picture", &["pixels=@cut.png"], &["`pixels`", "cut.png"]),
        ("matrix", &["a=@image.png"], &["`a`", "image.png", "[1][2]u32", "[n][m]f64"]),
        ("main", &["xs=@words.in", "k=1"], &["`xs`", "words.in", "`two`"]),
        ("main", &["xs=@two.in", "k=1"], &["`xs`", "two.in", "2 values", "1 value"]),
        ("main", &["xs=[1, 2", "k=1"], &["`xs`"]),
        ("main", &["xs=[1i32]", "k=1"], &["`xs`", "[1]i32", "[n]f64"]),
        ("main", &["xs=[true]", "k=1"], &["`xs`"]),
        ("main", &["xs=[1.0]"], &["`k`: f64 is missing"]),
        ("main", &["xs=[1.0]", "k=1", "kk=2"], &["no argument `kk`", "`k`"]),
        ("main", &["xs=[1.0]", "xs=[2.0]", "k=1"], &["`xs` is given twice"]),
        ("main", &["xs", "k=1"], &["`xs` is no argument", "NAME=VALUE"]),
        ("point", &["p.x=1", "by=1 2"], &["`p.y`: f64 is missing"]),
        ("point", &["p=1 2", "p.x=1", "by=1 2"], &["`p` is given whole, and by field: `p.x`"]),
        ("point", &["p.x=1", "p.yy=1", "by=1 2"], &["no argument `p.yy`", "`p.y`"]),
        ("flags", &["b=[true]", "h=[1.0f16]", "i=[1, 2]", "u=[1]"], &["`i`", "[2]", "1"]),
        ("main", &["xs=[1.0]", "k=1", "-o", "2=x.npy"], &["no result `2`", "`0`, `1`"]),
        ("main", &["xs=[1.0]", "k=1", "-o", "x.npy"], &["x.npy", "holds one array, and there are 2"]),
        ("main", &["xs=[1.0, 2.0]", "k=1", "-o", "x.csv"], &["x.csv", "of one length"]),
        ("matrix", &["a=[[1.0]]", "-o", "0=x.png"], &["x.png", "u32 or u8, not of f64"]),
        ("scalar", &["x=1", "-o", "nowhere/x.npy"], &["nowhere/x.npy", "No such file"]),
    ];
    for (entry, args, parts) in cases {
        let out = futi(folder.path(), &[&["run", "p.fut", "-e", entry], *args].concat(), b"");
        let said = String::from_utf8(out.stderr).unwrap();
        assert_eq!((out.status.code(), said.lines().count()), (Some(1), 1), "{entry} {args:?}: {said}");
        assert!(parts.iter().all(|part| said.contains(part)), "{entry} {args:?}: {said}");
        assert!(out.stdout.is_empty(), "{entry} {args:?}");
    }
}

/// An array of records of one field.
fn records() -> Vec<u8> {
    let mut header = "{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (1,), }".to_string();
    header += &" ".repeat(64 - (10 + header.len() + 1) % 64);
    header.push('\n');
    let mut file = b"\x93NUMPY\x01\x00".to_vec();
    file.extend((header.len() as u16).to_le_bytes());
    file.extend(header.bytes());
    file.extend([0; 8]);
    file
}
