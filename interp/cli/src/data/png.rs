//! Images as PNG files.

use futi_core::prim::ScalarType;
use futi_core::value::Value;

/// An image `[h][w]u32`, a pixel `0xAARRGGBB`, or `[h][w]u8`, in grey, as a file.
pub fn write(value: &Value) -> Result<Vec<u8>, String> {
    let [height, width] = *value.shape() else { return Err("an image is a matrix, [h][w]u32 or [h][w]u8".into()) };
    let pixels = value.elements().map(|x| x.to_int().unwrap_or(0) as u32);
    let (colours, bytes): (_, Vec<u8>) = match value.elem() {
        ScalarType::U32 => (png::ColorType::Rgba, pixels.flat_map(|p| p.rotate_left(8).to_be_bytes()).collect()),
        ScalarType::U8 => (png::ColorType::Grayscale, pixels.map(|p| p as u8).collect()),
        elem => return Err(format!("an image is a matrix of u32 or u8, not of {elem}")),
    };
    encode(width, height, colours, &bytes)
}

/// An image of so many pixels of these colours, row by row, as a file.
pub fn encode(width: usize, height: usize, colours: png::ColorType, bytes: &[u8]) -> Result<Vec<u8>, String> {
    let side = |n: usize| u32::try_from(n).map_err(|_| format!("an image is no {n} pixels wide or high"));
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, side(width)?, side(height)?);
    encoder.set_color(colours);
    let written = encoder.write_header().and_then(|mut writer| {
        writer.write_image_data(bytes)?;
        writer.finish()
    });
    written.map_err(|e| format!("the image cannot be written: {e}"))?;
    Ok(file)
}
