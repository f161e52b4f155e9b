/** 32 MB and about 0.2 s per hash, as the OWASP Password Storage Cheat Sheet recommends. */
export const PASSWORD_COST = { N: 2 ** 15, r: 8, p: 3 };
