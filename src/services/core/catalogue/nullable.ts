/** A row whose absent optional fields are NULL. */
export type Nullable<T> = { [K in keyof T]: T[K] | null };

export function withoutNulls<T>(row: Nullable<T>): T {
  const entries = Object.entries(row).filter(([, value]) => value !== null);
  return Object.fromEntries(entries) as T; // only optional fields are NULL
}
