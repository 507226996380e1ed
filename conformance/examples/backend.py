"""A backend in Python, for scalar code on integers and booleans: what else a program has it refuses."""
import operator as o, re, sys

OPERATORS = {"add": o.add, "sub": o.sub, "mul": o.mul, "and": o.and_, "or": o.or_, "xor": o.xor, "eq": o.eq, "lt": o.lt, "le": o.le, "min": min, "max": max,
             "neg": o.neg, "abs": abs, "shl": lambda x, n: x << n if n < 64 else 0, "shr": o.rshift, "select": lambda c, x, y: x if c else y,
             "not": lambda x: not x if isinstance(x, bool) else ~x, "conv": lambda x: x}
STATEMENT = re.compile(r"let \(\w+?_(\d+): (\w+)\) = (\w+)\.[\w.]*\((.*)\)( @\d+)?$")
TYPES = ["bool", *(s + n for s in "iu" for n in ("8", "16", "32", "64"))]

def answer(*fields):
    print("futi> " + "\t".join(str(f).replace("\\", "\\\\").replace("\n", "\\n").replace("\t", "\\t") for f in fields), flush=True)

def wrapped(x, ty):
    bits = 1 << int(ty[1:]) if ty != "bool" else 0
    return bool(x) if ty == "bool" else (x + bits // 2) % bits - bits // 2 if ty[0] == "i" else x % bits

def operand(text, env):
    literal = re.match(r"(true|false|(-?\d+)[iu]\d+)$", text)
    return env[text.rpartition("_")[2]] if not literal else int(literal[2]) if literal[2] else text == "true"

def compiled(lines):
    head = next(m for line in lines if (m := re.match(r'entry "(.*?)"\((.*?)\) -> \((.*?)\)', line)))
    params, results = ([p.strip(" *").split(": ") for p in head[i].split(", ") if p] for i in (2, 3))
    body = [line.strip() for line in lines if line.strip().startswith("let ")]
    last = next(m[1] for line in lines if (m := re.search(r"\bin \((.*?)\)( \})?$", line) or re.search(r"\bin (\S+)( \})?$", line)))
    wrong = [line for line in body if not (m := STATEMENT.match(line)) or m[3] not in OPERATORS or m[2] not in TYPES]
    wrong += [ty for _, ty in params + results if ty not in TYPES]
    return (params, body, last.split(", "), results), wrong

def run(program, values):
    params, body, last, results = program
    env = {name.rpartition("_")[2]: value for (name, _), value in zip(params, values)}
    for line in body:
        number, ty, op, args, _ = STATEMENT.match(line).groups()
        env[number] = wrapped(OPERATORS[op](*(operand(a, env) for a in args.split(", "))), ty)
    return [str(operand(e, env)).lower() + ("" if ty == "bool" else ty) for e, (_, ty) in zip(last, results)]

answer("hello", 1, "Flat", 1, "scalars in Python")
for line in sys.stdin:
    command, *fields = line.rstrip("\n").split("\t")
    text = [sys.stdin.readline().rstrip("\n") for _ in range(int(fields[-1]))]
    if command == "compile":
        program, wrong = compiled(text)
        for what in wrong: answer("unsupported", what.split(" @")[0], "scalars only", (re.findall(r" @(\d+)", what) or [0])[-1])
        answer("refused" if wrong else "compiled")
    else:
        for value in run(program, [operand(v, {}) for v in text]): answer("value", value)
        answer("done")
