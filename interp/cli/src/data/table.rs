//! Tables of comma-separated values, with a line of names before the others.

use super::leaf::Leaf;
use futi_core::entry::type_name;
use futi_core::ir::EntryType;
use futi_core::prim::{Scalar, ScalarType};
use futi_core::value::{Array, Column, Value};
use half::f16;

/// Where a leaf's elements are.
enum Place {
    /// In a column.
    Column(usize),
    /// In all columns, row by row.
    All,
}

/// The leaves of a value in a table. Arrays of one dimension are columns: by their names where they are fields of records, else in the order in which they stand. A matrix is the
/// whole table.
pub fn read(bytes: &[u8], ty: &EntryType, wanted: &[Leaf]) -> Result<Vec<Value>, String> {
    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(bytes);
    let error = |e: csv::Error| format!("it is no table: {e}");
    let names: Vec<String> = reader.headers().map_err(error)?.iter().map(str::to_string).collect();
    let numbered = names.iter().enumerate().all(|(i, name)| *name == i.to_string());
    if names.iter().all(String::is_empty) || (names.iter().all(|name| name.parse::<f64>().is_ok()) && !numbered) {
        return Err("its first line has no names of columns".into());
    }
    let places: Vec<Place> = places(ty, wanted, &names)?;
    let mut columns: Vec<Vec<Scalar>> = vec![Vec::new(); wanted.len()];
    let mut rows = 0;
    for record in reader.records() {
        let record = record.map_err(error)?;
        let line = record.position().map_or(0, csv::Position::line);
        for ((leaf, place), column) in wanted.iter().zip(&places).zip(&mut columns) {
            let cells = match place {
                Place::Column(k) => *k..*k + 1,
                Place::All => 0..names.len(),
            };
            for k in cells {
                let cell = record.get(k).unwrap_or_default();
                let x = scalar(cell, leaf.elem).ok_or_else(|| {
                    let what = if cell.is_empty() { "an empty cell".into() } else { format!("`{cell}`") };
                    format!("line {line}, column `{}`: {what} is no {}", names[k], leaf.elem)
                })?;
                column.push(x);
            }
        }
        rows += 1;
    }
    let arrays = wanted.iter().zip(&places).zip(columns).map(|((leaf, place), column)| {
        let shape = match place {
            Place::Column(_) => vec![rows],
            Place::All => vec![rows, names.len()],
        };
        let column = Column::from_scalars(leaf.elem, column.into_iter());
        column
            .map(|column| Array::new(&shape, column).into())
            .ok_or_else(|| "its cells are of several types".to_string())
    });
    arrays.collect()
}

fn places(ty: &EntryType, wanted: &[Leaf], names: &[String]) -> Result<Vec<Place>, String> {
    let listed = || names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    let other = || Err(format!("it is a table, of columns or of rows; {} is wanted", type_name(ty)));
    match wanted {
        [Leaf { rank: 2, .. }] => Ok(vec![Place::All]),
        _ if wanted.iter().any(|leaf| leaf.rank != 1) || wanted.is_empty() => other(),
        _ if wanted.iter().any(|leaf| leaf.name.parse::<usize>().is_ok() || leaf.name.is_empty()) => {
            if wanted.len() == names.len() {
                return Ok((0..names.len()).map(Place::Column).collect());
            }
            let plural = if wanted.len() == 1 { "" } else { "s" };
            Err(format!("it has the columns {}; {} is {} column{plural}", listed(), type_name(ty), wanted.len()))
        }
        _ => {
            let of = |leaf: &Leaf| {
                let at = names.iter().position(|name| *name == leaf.name);
                at.map(Place::Column)
                    .ok_or_else(|| format!("there is no column `{}` in it; it has {}", leaf.name, listed()))
            };
            wanted.iter().map(of).collect()
        }
    }
}

/// What a cell holds. Floats may be written as other programs do: `NaN`, `inf`, `1e-3`.
fn scalar(cell: &str, ty: ScalarType) -> Option<Scalar> {
    Some(match ty {
        ScalarType::F64 => Scalar::F64(cell.parse().ok()?),
        ScalarType::F32 => Scalar::F32(cell.parse().ok()?),
        ScalarType::F16 => Scalar::F16(f16::from_f64(cell.parse().ok()?)),
        ScalarType::Bool => Scalar::Bool(match cell.to_lowercase().as_str() {
            "true" | "1" => true,
            "false" | "0" => false,
            _ => return None,
        }),
        ty => return Scalar::from_int(ty, cell.parse().ok()?),
    })
}

/// Values by their names as a table: arrays of one length are columns, scalars are columns of one row, and a matrix is a table whose columns have numbers.
pub fn write(values: &[(String, Value)]) -> Result<Vec<u8>, String> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let (names, columns): (Vec<String>, Vec<Vec<String>>) = match values {
        [(_, value)] if value.shape().len() == 2 => {
            let (rows, width) = (value.shape()[0], value.shape()[1]);
            let cells: Vec<String> = value.elements().map(text).collect();
            let column = |k: usize| (0..rows).map(|i| cells[i * width + k].clone()).collect();
            (0..width).map(|k| (k.to_string(), column(k))).unzip()
        }
        _ => {
            if let Some((name, value)) = values.iter().find(|(_, value)| value.shape().len() > 1) {
                return Err(format!("a table has no place for `{name}`, which has {} dimensions", value.shape().len()));
            }
            values.iter().map(|(name, value)| (name.clone(), value.elements().map(text).collect())).unzip()
        }
    };
    let Some(rows) = columns.first().map(Vec::len) else { return Err("a table has columns".into()) };
    if let Some(k) = columns.iter().position(|column| column.len() != rows) {
        return Err(format!(
            "the columns of a table are of one length; `{}` has {rows}, `{}` {}",
            names[0],
            names[k],
            columns[k].len()
        ));
    }
    let failed = |e: csv::Error| e.to_string();
    writer.write_record(&names).map_err(failed)?;
    for i in 0..rows {
        writer.write_record(columns.iter().map(|column| &column[i])).map_err(failed)?;
    }
    writer.into_inner().map_err(|e| e.to_string())
}

/// A number as other programs read it, in as many digits as tell it apart.
fn text(x: Scalar) -> String {
    match x {
        Scalar::F64(x) => x.to_string(),
        Scalar::F32(x) => x.to_string(),
        Scalar::F16(x) => x.to_string(),
        Scalar::Bool(x) => x.to_string(),
        x => x.to_int().unwrap_or(0).to_string(),
    }
}
