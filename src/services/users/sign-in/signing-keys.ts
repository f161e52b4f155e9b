import { type CryptoKey, exportJWK, exportPKCS8, generateKeyPair, importPKCS8 } from "jose";
import sql from "sql-template-tag";
import { uuidv7 } from "uuidv7";
import { openSecret, sealSecret } from "../../../platform/auth/secrets.ts";
import { jsonb } from "../../../platform/db/jsonb.ts";
import type { Database } from "../../../platform/db/database.ts";

export interface SigningKeys {
  keyId: string;
  key: CryptoKey;
  /** Every public key, newest first: tokens signed with an older key stay valid. */
  jwks: { keys: { kid: string; [field: string]: unknown }[] };
}

/**
 * The newest signing key. The first start creates it; processes that start at once agree on one.
 */
export async function loadSigningKeys(
  db: Database,
  encryptionKey: string,
): Promise<SigningKeys> {
  const read = () =>
    db.query<{ id: string; jwk: Record<string, unknown>; sealed: string }>(
      sql`select id, public_jwk as jwk, private_key as sealed from users.signing_keys
        order by created_at desc, id desc`,
    );
  let rows = await read();
  if (rows.length === 0) {
    const created = await createKey(encryptionKey);
    await db.tx(async () => {
      await db.query(sql`lock table users.signing_keys`);
      if ((await read()).length > 0) return;
      await db.query(
        sql`insert into users.signing_keys (id, public_jwk, private_key)
          values (${created.id}, ${jsonb(created.jwk)}, ${created.sealed})`,
      );
    });
    rows = await read();
  }
  const [newest] = rows;
  if (!newest) throw new Error("The signing key was not stored. Check the database.");
  const key = await importPKCS8(openSecret(newest.sealed, encryptionKey), "RS256");
  return {
    keyId: newest.id,
    key,
    jwks: {
      keys: rows.map(({ id, jwk }) => ({ ...jwk, kid: id, alg: "RS256", use: "sig" })),
    },
  };
}

async function createKey(encryptionKey: string) {
  const { publicKey, privateKey } = await generateKeyPair("RS256", {
    modulusLength: 2048,
    extractable: true,
  });
  return {
    id: uuidv7(),
    jwk: await exportJWK(publicKey),
    sealed: sealSecret(await exportPKCS8(privateKey), encryptionKey),
  };
}
