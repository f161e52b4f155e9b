/** A row whose optional fields are NULL where they are absent. */
export type Nullable<T> = { [K in keyof T]: T[K] | null };

export function withoutNulls<T>(row: Nullable<T>): T {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as T; // null stands for an optional field alone
}
