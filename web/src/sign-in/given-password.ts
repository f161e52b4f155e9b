/**
 * The temporary password with which somebody has just signed in, so that it is not asked for twice.
 * It is only ever in memory, for as long as its page takes to be replaced.
 */
let given: string | undefined;

export function keepGivenPassword(password: string | undefined): void {
  given = password;
}

export function readGivenPassword(): string | undefined {
  return given;
}
