// Elements of one and two bytes, as parts of words, for devices that have no memory of their width. What others write meanwhile is beside them: a word is changed by atomic operations, and read by
// one where it may change. That no two write the same element at a time is the program's.

uint byte_at(uint64_t address) { return (RefU32(address & ~3UL).v >> (8u * (uint(address) & 3u))) & 0xffu; }

uint half_at(uint64_t address) { return (RefU32(address & ~3UL).v >> (8u * (uint(address) & 3u))) & 0xffffu; }

uint byte_now(uint64_t address) { return (atomicOr(RefU32(address & ~3UL).v, 0u) >> (8u * (uint(address) & 3u))) & 0xffu; }

uint half_now(uint64_t address) { return (atomicOr(RefU32(address & ~3UL).v, 0u) >> (8u * (uint(address) & 3u))) & 0xffffu; }

void put_byte(uint64_t address, uint bits) {
    uint shift = 8u * (uint(address) & 3u);
    atomicAnd(RefU32(address & ~3UL).v, ~(0xffu << shift));
    atomicOr(RefU32(address & ~3UL).v, (bits & 0xffu) << shift);
}

void put_half(uint64_t address, uint bits) {
    uint shift = 8u * (uint(address) & 3u);
    atomicAnd(RefU32(address & ~3UL).v, ~(0xffffu << shift));
    atomicOr(RefU32(address & ~3UL).v, (bits & 0xffffu) << shift);
}

// A number of 64 bits by halves, while a lock keeps others away.
uint64_t read_halves(uint64_t address) { return packUint2x32(uvec2(atomicOr(RefU32(address).v, 0u), atomicOr(RefU32(address + 4UL).v, 0u))); }

void write_halves(uint64_t address, uint64_t bits) {
    atomicExchange(RefU32(address).v, unpackUint2x32(bits).x);
    atomicExchange(RefU32(address + 4UL).v, unpackUint2x32(bits).y);
}

// A sum modulo 2^64 that nobody looks at until all have added: the carry goes up by itself.
void add_halves(uint64_t address, uint64_t x) {
    uvec2 halves = unpackUint2x32(x);
    uint low = atomicAdd(RefU32(address).v, halves.x);
    uint carry = low + halves.x < halves.x ? 1u : 0u;
    if (halves.y + carry != 0u) atomicAdd(RefU32(address + 4UL).v, halves.y + carry);
}
