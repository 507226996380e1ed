//! Data files: values in Futhark's text or binary format (futhark-compat.md §1.3, §5.3), perhaps compressed by gzip.

use flate2::read::MultiGzDecoder;
use futi_core::prim::ScalarType;
use futi_core::value::{Array, Value, binary, text};
use std::borrow::Cow;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// What a compressed file begins with.
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// So much a compressed file may hold: a few bytes can claim to be all memory.
const LARGEST: u64 = 2 << 30;

/// The folder in which the files lie that a program's test blocks and scripts name. What a program from somewhere says must not read what else the machine has.
#[derive(Clone, Copy, Debug)]
pub struct Folder<'a> {
    path: &'a Path,
    /// Whether files outside of it may be named, too.
    outside: bool,
}

impl<'a> Folder<'a> {
    /// The folder of the program at this path.
    pub fn of(program: &'a Path, outside: bool) -> Folder<'a> {
        Folder { path: program.parent().unwrap_or(Path::new(".")), outside }
    }

    /// The path of a file by its name here.
    ///
    /// # Errors
    /// In one line: it is outside, by its name or by a link, and may not be.
    pub fn file(&self, name: &str) -> Result<PathBuf, String> {
        let path = self.path.join(name);
        let here = Path::new(".").join(self.path);
        match (path.canonicalize(), here.canonicalize()) {
            (Ok(file), Ok(folder)) if !self.outside && !file.starts_with(&folder) => {
                Err(format!("{name}: this file is outside of the program's folder; `--outside` allows that"))
            }
            // what cannot be found, whoever reads it says
            _ => Ok(path),
        }
    }
}

/// The image in a PNG file: [`image_of`].
///
/// # Errors
/// In one line, with the file's name: it cannot be read, or is no PNG.
pub fn image(path: &Path) -> Result<Value, String> {
    image_of(&bytes(path)?).map_err(|e| format!("{}: {e}", path.display()))
}

/// The image that the bytes of a PNG file hold, as Futhark has images: `[h][w]u32`, a pixel `0xAARRGGBB`.
///
/// # Errors
/// In one line: they are no PNG.
pub fn image_of(bytes: &[u8]) -> Result<Value, String> {
    let error = |e: &dyn std::fmt::Display| e.to_string();
    let mut decoder = png::Decoder::new(io::Cursor::new(bytes));
    // eight bits a channel, palettes and grey as colours
    decoder.set_transformations(png::Transformations::EXPAND | png::Transformations::STRIP_16);
    let mut reader = decoder.read_info().map_err(|e| error(&e))?;
    let size = reader.output_buffer_size().ok_or_else(|| error(&"the image is too large"))?;
    let mut bytes = vec![0; size];
    let frame = reader.next_frame(&mut bytes).map_err(|e| error(&e))?;
    let bytes = &bytes[..frame.buffer_size()];
    let pixel = |p: &[u8]| {
        let [r, g, b, a] = match *p {
            [grey] => [grey, grey, grey, 255],
            [grey, a] => [grey, grey, grey, a],
            [r, g, b] => [r, g, b, 255],
            [r, g, b, a, ..] => [r, g, b, a],
            [] => [0; 4],
        };
        u32::from_be_bytes([a, r, g, b])
    };
    let pixels: Vec<u32> = bytes.chunks_exact(frame.color_type.samples()).map(pixel).collect();
    Ok(Array::from_vec(&[frame.height as usize, frame.width as usize], pixels).into())
}

/// What a file holds, once it is decompressed.
///
/// # Errors
/// In one line, with the file's name: it cannot be read, or decompressed.
pub fn bytes(path: &Path) -> Result<Vec<u8>, String> {
    let error = |e: io::Error| format!("{}: {e}", path.display());
    let bytes = std::fs::read(path).map_err(error)?;
    if bytes.starts_with(&GZIP) { Ok(decompressed(&bytes).map_err(error)?.into_owned()) } else { Ok(bytes) }
}

/// The values in a data file. In a text, numbers without suffix in the i-th take the i-th of these types, if they can be written so.
///
/// # Errors
/// In one line, with the file's name: it cannot be read, or is data in neither format.
pub fn read(path: &Path, types: &[ScalarType]) -> Result<Vec<Value>, String> {
    let bytes = std::fs::read(path).map_err(|e| format!("{}: {e}", path.display()))?;
    values(&bytes, types).map_err(|e| format!("{}: {e}", path.display()))
}

/// The values that these bytes hold, once they are decompressed, in the format that they begin with; of a text, by these types, as in [`read`].
///
/// # Errors
/// In one line, where they are no values.
pub fn values(bytes: &[u8], types: &[ScalarType]) -> Result<Vec<Value>, String> {
    let bytes = decompressed(bytes).map_err(|e| e.to_string())?;
    if is_binary(&bytes) {
        return binary::read_values(&bytes).map_err(|e| e.to_string());
    }
    text::parse_values_wrapping(utf8(&bytes)?, types).map_err(|e| e.to_string())
}

/// The same, but an integer that its type does not hold is none.
///
/// # Errors
/// In one line, where they are no values.
pub fn exact_values(bytes: &[u8], types: &[ScalarType]) -> Result<Vec<Value>, String> {
    if is_binary(bytes) {
        return binary::read_values(bytes).map_err(|e| e.to_string());
    }
    text::parse_values_as(utf8(bytes)?, types).map_err(|e| e.to_string())
}

fn utf8(bytes: &[u8]) -> Result<&str, String> {
    std::str::from_utf8(bytes).map_err(|e| format!("byte {}: the text is not UTF-8", e.valid_up_to()))
}

/// The bytes themselves, or what they are a compression of.
fn decompressed(bytes: &[u8]) -> io::Result<Cow<'_, [u8]>> {
    if !bytes.starts_with(&GZIP) {
        return Ok(bytes.into());
    }
    let mut out = Vec::new();
    MultiGzDecoder::new(bytes).take(LARGEST + 1).read_to_end(&mut out)?;
    if out.len() as u64 > LARGEST {
        return Err(io::Error::other(format!("more than {LARGEST} bytes, decompressed")));
    }
    Ok(out.into())
}

/// Whether the first value begins as a binary one does; blanks and comments may stand before it.
fn is_binary(bytes: &[u8]) -> bool {
    let mut rest = bytes.trim_ascii_start();
    while rest.starts_with(b"--") {
        let end = rest.iter().position(|b| *b == b'\n').unwrap_or(rest.len());
        rest = rest[end..].trim_ascii_start();
    }
    rest.first() == Some(&b'b')
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::{Compression, write::GzEncoder};
    use std::io::Write;

    fn shown(bytes: &[u8]) -> Result<String, String> {
        Ok(values(bytes, &[])?.iter().map(Value::to_string).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn both_formats_are_told_apart() {
        assert_eq!(shown(b"-- b\n 1 [2.0]"), Ok("1i32 [2.0f64]".into()));
        assert_eq!(shown(b"-- a\n b\x02\0  u8\x07"), Ok("7u8".into()));
        assert_eq!(shown(b""), Ok(String::new()));
        assert_eq!(shown(b"1\n x"), Err("2:2: `x` is not a value".into()));
        let of_types =
            values(b"[1, 2] 3 4i8 5.5", &[ScalarType::F32, ScalarType::U8, ScalarType::I64, ScalarType::I32]).unwrap();
        let of_types: Vec<String> = of_types.iter().map(Value::to_string).collect();
        assert_eq!(of_types, ["[1.0f32, 2.0f32]", "3u8", "4i8", "5.5f64"]);
        assert_eq!(shown(b"1 \xff"), Err("byte 2: the text is not UTF-8".into()));
    }

    #[test]
    fn images_are_pixels() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("image.png");
        use png::{BitDepth, ColorType};
        let png = |colour: ColorType, depth: BitDepth, bytes: &[u8]| {
            let mut encoder = png::Encoder::new(std::fs::File::create(&file).unwrap(), 2, 1);
            encoder.set_color(colour);
            encoder.set_depth(depth);
            encoder.write_header().unwrap().write_image_data(bytes).unwrap();
            image(&file).map(|value| value.elements().map(|x| x.to_int().unwrap_or(0)).collect::<Vec<_>>())
        };
        // alpha, red, green, blue
        assert_eq!(png(ColorType::Rgb, BitDepth::Eight, &[1, 2, 3, 4, 5, 6]), Ok(vec![0xff010203, 0xff040506]));
        assert_eq!(png(ColorType::Rgba, BitDepth::Eight, &[1, 2, 3, 4, 5, 6, 7, 8]), Ok(vec![0x04010203, 0x08050607]));
        assert_eq!(png(ColorType::Grayscale, BitDepth::One, &[0b0100_0000]), Ok(vec![0xff000000, 0xffffffff]));
        assert_eq!(png(ColorType::Grayscale, BitDepth::Sixteen, &[7, 9, 8, 9]), Ok(vec![0xff070707, 0xff080808]));
        std::fs::write(&file, b"no image").unwrap();
        assert!(image(&file).is_err_and(|e| e.contains(".png: ")));
        std::fs::remove_file(&file).unwrap();
        assert!(image(&file).is_err_and(|e| e.contains("No such file")));
    }

    #[test]
    fn compressed_files_are_read_as_what_they_hold() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("data.in");
        let mut gzip = GzEncoder::new(Vec::new(), Compression::default());
        gzip.write_all(b"[1, 2]").unwrap();
        let bytes = gzip.finish().unwrap();
        std::fs::write(&file, &bytes).unwrap();
        assert_eq!(read(&file, &[]).unwrap()[0].to_string(), "[1i32, 2i32]");
        std::fs::write(&file, &bytes[..bytes.len() - 3]).unwrap();
        assert!(read(&file, &[]).unwrap_err().starts_with(&file.display().to_string()));
        std::fs::remove_file(&file).unwrap();
        assert!(read(&file, &[]).unwrap_err().contains("No such file"));
    }
}
