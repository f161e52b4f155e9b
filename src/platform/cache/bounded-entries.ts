interface Entry {
  value: string;
  endsAt: number;
  origin: string;
}

/** How many of the oldest entries are looked at for one whose origin has more than its share. */
const LOOKED_AT = 100;

/**
 * Entries of one kind, at most `max`. Beyond it, an origin with more than its share loses its own
 * oldest entry; one with less takes the place of another with more.
 */
export class BoundedEntries {
  readonly #entries = new Map<string, Entry>();
  readonly #keysOf = new Map<string, Set<string>>();
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
  }

  find(key: string): Entry | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined || entry.endsAt > performance.now()) return entry;
    this.delete(key);
    return undefined;
  }

  set(key: string, value: string, ttlMs: number, origin = ""): void {
    this.delete(key);
    if (this.#entries.size >= this.#max) this.#makeRoom(origin);
    this.#entries.set(key, { value, endsAt: performance.now() + ttlMs, origin });
    const keys = this.#keysOf.get(origin) ?? new Set();
    this.#keysOf.set(origin, keys.add(key));
  }

  delete(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    const keys = this.#keysOf.get(entry.origin);
    keys?.delete(key);
    if (keys?.size === 0) this.#keysOf.delete(entry.origin);
  }

  removeExpired(): void {
    const now = performance.now();
    for (const [key, { endsAt }] of this.#entries) if (endsAt <= now) this.delete(key);
  }

  #makeRoom(origin: string): void {
    const share = this.#max / (this.#keysOf.size + 1);
    const own = this.#keysOf.get(origin);
    const victim = own && own.size > share ? first(own) : this.#oldestOfMany(share);
    if (victim !== undefined) this.delete(victim);
  }

  #oldestOfMany(share: number): string | undefined {
    let looked = 0;
    for (const [key, { origin }] of this.#entries) {
      if ((this.#keysOf.get(origin)?.size ?? 0) > share) return key;
      looked += 1;
      if (looked === LOOKED_AT) break;
    }
    return first(this.#entries.keys());
  }
}

function first(keys: Iterable<string>): string | undefined {
  for (const key of keys) return key;
  return undefined;
}
