//! `futi explain`: the page of a diagnostic's code.

use crate::failure::Failure;
use crate::say;
use futi_core::diag::Code;

/// Say more about the codes of diagnostics: what each is about, a program that it is said of, and its repair.
///
/// Without a code, list them all.
#[derive(clap::Args)]
pub struct Args {
    /// Codes, as diagnostics show them: E0301.
    #[arg(value_name = "CODE", value_parser = known)]
    codes: Vec<Code>,
}

/// Runs the subcommand.
pub fn explain(args: Args) -> Result<(), Failure> {
    let text = if args.codes.is_empty() {
        Code::ALL.iter().map(|code| title(page(*code)).to_string() + "\n").collect()
    } else {
        args.codes.into_iter().map(page).collect::<Vec<&str>>().join("\n")
    };
    say::out(text)
}

/// The code written `E0301`, `e301` or `301`.
pub fn known(text: &str) -> Result<Code, String> {
    let number = text.strip_prefix(['E', 'e']).unwrap_or(text).parse().ok();
    let code = Code::ALL.iter().find(|code| Some(**code as u16) == number);
    code.copied().ok_or_else(|| "`futi explain` lists the codes".to_string())
}

/// The first line, without its mark of Markdown.
fn title(page: &str) -> &str {
    page.lines().next().unwrap_or("").trim_start_matches("# ")
}

/// The pages, of which the program has a copy: the compiler sees that none is missing.
macro_rules! pages {
    ($($name:ident = $file:literal,)*) => {
        /// The page of a code.
        pub fn page(code: Code) -> &'static str {
            match code {
                $(Code::$name => include_str!(concat!("../../../docs/errors/", $file, ".md")),)*
            }
        }
    };
}

pages! {
    Unreadable = "E0001",
    UnknownCharacter = "E0101",
    BadNumber = "E0102",
    UnexpectedToken = "E0103",
    NestingTooDeep = "E0104",
    UnknownName = "E0201",
    UnknownType = "E0202",
    UnknownModule = "E0203",
    DuplicateName = "E0204",
    TypeMismatch = "E0301",
    InfiniteType = "E0302",
    NoSuchOverload = "E0303",
    NotAFunction = "E0304",
    NotAnArray = "E0305",
    NoSuchField = "E0306",
    FunctionNotAllowed = "E0307",
    LiteralOutOfRange = "E0308",
    BadPattern = "E0309",
    BadTypeArguments = "E0310",
    BadModule = "E0311",
    UnmatchedCases = "E0312",
    RefutablePattern = "E0313",
    SizeMismatch = "E0401",
    Causality = "E0402",
    AmbiguousSize = "E0403",
    SizeEscapes = "E0404",
    BadSize = "E0405",
    BadEntry = "E0501",
    Recursion = "E0502",
    NotSupported = "E0503",
    TooLarge = "E0504",
    UseAfterConsume = "E0601",
    NotConsumable = "E0602",
    ReturnAliased = "E0603",
    UniqueReturnAliased = "E0604",
    SelfAliasedArgument = "E0605",
    ConsumingArgument = "E0606",
    AliasesFreeVariable = "E0607",
    LoopReturnAliased = "E0608",
    LoopReturnConsumed = "E0609",
    LoopReturnTwice = "E0610",
    ContainsConsumption = "E0611",
    AliasedUpdate = "E0612",
    AliasedArgument = "E0613",
    UniqueConstant = "E0614",
    UnusedName = "E0701",
}
