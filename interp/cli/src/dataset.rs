//! `futi dataset`: makes random data, or converts data from standard input.

use crate::failure::Failure;
use crate::say;
use clap::{Arg, ArgAction, ArgMatches, Command};
use futi_conformance::data;
use futi_conformance::dataset::{self, Bounds, SEED, default_bounds};
use futi_conformance::spec::{RandomValue, random_value};
use futi_core::prim::ScalarType;
use futi_core::value::compare::type_text;
use futi_core::value::text::{parse_values, parse_values_as};
use futi_core::value::{Value, binary, count};
use std::collections::HashMap;
use std::io::{IsTerminal, Read};

/// Make random values, the same as `futhark dataset` makes. Without `--generate`: convert values from standard input.
///
/// Formats and bounds are for the `--generate` behind them, so that the order of the options matters; that is why they are read by hand.
#[derive(Clone, Debug)]
pub struct Args {
    seed: i64,
    /// In the order in which they stand.
    steps: Vec<Step>,
}

#[derive(Clone, Debug)]
enum Step {
    Format(Format),
    Bounds(ScalarType, Bounds),
    Generate(RandomValue),
}

#[derive(Clone, Copy, Debug)]
enum Format {
    Text,
    Binary,
    Type,
}

const FORMATS: [(&str, Format); 3] = [("binary", Format::Binary), ("text", Format::Text), ("type", Format::Type)];

/// The option that sets the bounds of a type.
const BOUNDS: [(&str, ScalarType); 11] = [
    ("i8-bounds", ScalarType::I8),
    ("i16-bounds", ScalarType::I16),
    ("i32-bounds", ScalarType::I32),
    ("i64-bounds", ScalarType::I64),
    ("u8-bounds", ScalarType::U8),
    ("u16-bounds", ScalarType::U16),
    ("u32-bounds", ScalarType::U32),
    ("u64-bounds", ScalarType::U64),
    ("f16-bounds", ScalarType::F16),
    ("f32-bounds", ScalarType::F32),
    ("f64-bounds", ScalarType::F64),
];

impl clap::Args for Args {
    fn augment_args(command: Command) -> Command {
        let flag =
            |id, help| Arg::new(id).long(id).num_args(0).default_missing_value("").action(ArgAction::Append).help(help);
        let generate = "Make a value of this type, `i32` or `[10][3]f32`; or this very value";
        let command = command
            .about("Make random values, the same as `futhark dataset` makes, or convert values from standard input")
            .long_about(
                "Make random values, the same as `futhark dataset` makes. Without --generate, convert values from standard input, text or binary, compressed \
                 or not.\n\nOptions are heeded in order: formats and bounds are for the --generate behind them; the seed is for all.",
            )
            .arg(Arg::new("generate").short('g').long("generate").value_name("TYPE").action(ArgAction::Append).help(generate).value_parser(wanted))
            .arg(Arg::new("seed").short('s').long("seed").value_name("N").allow_negative_numbers(true).help(format!(
                "What the values follow from [default: {SEED}]"
            )).value_parser(clap::value_parser!(i64)))
            .arg(flag("binary", "Write Futhark's binary format").short('b'))
            .arg(flag("text", "Write text, the default"))
            .arg(flag("type", "Write the types alone").short('t'));
        BOUNDS.into_iter().fold(command, |command, (id, ty)| {
            let help = format!("Between which values, both included, those of type {ty} are");
            let arg = Arg::new(id).long(id).value_name("MIN:MAX").allow_hyphen_values(true).action(ArgAction::Append);
            command.arg(arg.help(help).value_parser(move |text: &str| bounds(ty, text)))
        })
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl clap::FromArgMatches for Args {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Args, clap::Error> {
        let mut steps = Vec::new();
        let at = |id: &str| matches.indices_of(id).into_iter().flatten();
        for (id, format) in FORMATS {
            steps.extend(at(id).map(|i| (i, Step::Format(format))));
        }
        let wanted = matches.get_many::<RandomValue>("generate").into_iter().flatten();
        steps.extend(at("generate").zip(wanted).map(|(i, wanted)| (i, Step::Generate(wanted.clone()))));
        for (id, ty) in BOUNDS {
            let bounds = matches.get_many::<Bounds>(id).into_iter().flatten();
            steps.extend(at(id).zip(bounds).map(|(i, bounds)| (i, Step::Bounds(ty, *bounds))));
        }
        steps.sort_by_key(|(i, _)| *i);
        let seed = matches.get_one("seed").copied().unwrap_or(SEED);
        Ok(Args { seed, steps: steps.into_iter().map(|(_, step)| step).collect() })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Args::from_arg_matches(matches)?;
        Ok(())
    }
}

/// A type with its sizes, or a value.
fn wanted(text: &str) -> Result<RandomValue, String> {
    let words: String = text.split_whitespace().collect();
    let wanted = random_value(&words).or_else(|| match &parse_values(text).ok()?[..] {
        [value] => Some(RandomValue::Value(value.clone())),
        _ => None,
    });
    match wanted {
        Some(RandomValue::OfType(ty, shape)) if too_large(ty, &shape) => Err("it is larger than memory".into()),
        Some(wanted) => Ok(wanted),
        None => Err("it is neither a type with its sizes nor a value".into()),
    }
}

/// Whether no memory can hold the value. One that is merely larger than this machine's is found out by making it.
fn too_large(ty: ScalarType, shape: &[usize]) -> bool {
    let bytes = count(shape).checked_mul(ty.bytes());
    bytes.is_none_or(|bytes| Vec::<u8>::new().try_reserve_exact(bytes).is_err())
}

fn bounds(ty: ScalarType, text: &str) -> Result<Bounds, String> {
    let one = |text: &str| match parse_values_as(text, &[ty]).unwrap_or_default()[..] {
        [Value::Scalar(x)] if x.scalar_type() == ty => Ok(x),
        _ => Err(format!("`{text}` is no value of type {ty}")),
    };
    let (low, high) = text.split_once(':').ok_or("a `:` is missing")?;
    Ok((one(low)?, one(high)?))
}

/// Runs the subcommand.
pub fn dataset(args: Args) -> Result<(), Failure> {
    let mut format = Format::Text;
    let mut bounds: HashMap<ScalarType, Bounds> = HashMap::new();
    let mut made = 0;
    for step in &args.steps {
        match step {
            Step::Format(f) => format = *f,
            Step::Bounds(ty, b) => drop(bounds.insert(*ty, *b)),
            Step::Generate(wanted) => {
                let seed = args.seed.wrapping_add(made);
                made += 1;
                write(format, &value(wanted, &bounds, seed))?;
            }
        }
    }
    if made > 0 {
        return Ok(());
    }
    let mut input = Vec::new();
    if std::io::stdin().is_terminal() {
        say::err("(reading values from the terminal; end with Ctrl-D)\n");
    }
    std::io::stdin().lock().read_to_end(&mut input).map_err(|e| Failure::Io(format!("standard input: {e}")))?;
    let values = data::values(&input, &[]).map_err(|e| Failure::Io(format!("standard input: {e}")))?;
    values.iter().try_for_each(|v| write(format, v))
}

fn value(wanted: &RandomValue, bounds: &HashMap<ScalarType, Bounds>, seed: i64) -> Value {
    match wanted {
        RandomValue::Value(v) => v.clone(),
        RandomValue::OfType(ty, shape) => {
            let bounds = bounds.get(ty).copied().unwrap_or(default_bounds(*ty));
            dataset::value(*ty, shape, bounds, seed)
        }
    }
}

fn write(format: Format, value: &Value) -> Result<(), Failure> {
    let bytes = match format {
        Format::Text => format!("{value}\n").into_bytes(),
        Format::Type => format!("{}\n", type_text(value)).into_bytes(),
        Format::Binary => binary::write_values(std::slice::from_ref(value)),
    };
    say::bytes(&bytes)
}
