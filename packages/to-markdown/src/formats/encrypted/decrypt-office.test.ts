import { createCipheriv, hash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { buildCompound } from "../legacy/build-compound.test-support.ts";
import { fileToMarkdown } from "../file-to-markdown.ts";

const TEXT = "Only for those who know.";
const PASSWORD = "sésame";
const protectedFile = await readFile(
  new URL("../fixtures/protected.docx", import.meta.url),
);
const read = (bytes: Uint8Array, password?: string) =>
  fileToMarkdown(bytes, { fileName: "plan.docx", password });
const outcome = (bytes: Uint8Array, password?: string) =>
  read(bytes, password).then(
    ({ markdown }) => markdown.trim(),
    ({ code }: { code: string }) => code,
  );

test("opens a file of Office 2010 and later with its password only", async () => {
  expect(await outcome(protectedFile, PASSWORD)).toBe(TEXT);
  expect(await outcome(protectedFile, "another")).toBe("wrong_password");
  expect(await outcome(protectedFile)).toBe("file_encrypted");
});

test("opens a file of Office 2007 with its password only", async () => {
  const bytes = protectAsOffice2007(Buffer.from(`# A note\n\n${TEXT}\n`), PASSWORD);
  expect(await outcome(bytes, PASSWORD)).toContain(TEXT);
  expect(await outcome(bytes, "another")).toBe("wrong_password");
  expect(await outcome(bytes)).toBe("file_encrypted");
});

test("reports another encryption, a damaged description and endless hashing as such", async () => {
  const content = Buffer.alloc(5_000);
  const withInfo = (info: Buffer) =>
    outcome(buildCompound({ EncryptionInfo: info, EncryptedPackage: content }), PASSWORD);
  const agile = (xml: string) =>
    Buffer.concat([Buffer.from([4, 0, 4, 0, 64, 0, 0, 0]), Buffer.from(xml)]);
  const cipher = (more: string) =>
    `saltValue="AAAA" keyBits="256" cipherAlgorithm="AES" cipherChaining="ChainingModeCBC" hashAlgorithm="SHA512" ${more}`;
  expect(await withInfo(Buffer.from([4, 0, 3, 0, 0, 0, 0, 0]))).toBe("file_encrypted");
  const hashedTimes = (times: number) =>
    agile(
      `<e><keyData ${cipher("")}/><encryptedKey ${cipher(`spinCount="${times}"`)}/></e>`,
    );
  expect(await withInfo(hashedTimes(10))).toBe("file_damaged");
  expect(await withInfo(hashedTimes(10_000_000))).toBe("too_complex");
});

/** The inverse of the tested code. Source: [MS-OFFCRYPTO] 2.3.4.5 to 2.3.4.9. */
function protectAsOffice2007(plain: Buffer, password: string): Buffer {
  const sha1 = (...parts: Buffer[]) => hash("sha1", Buffer.concat(parts), "buffer");
  const number = (value: number) => Buffer.from(new Uint32Array([value]).buffer);
  const salt = Buffer.alloc(16, 7);
  let hashed = sha1(salt, Buffer.from(password, "utf16le"));
  for (let at = 0; at < 50_000; at += 1) hashed = sha1(number(at), hashed);
  const last = sha1(hashed, number(0));
  const key = sha1(
    Buffer.alloc(64, 0x36).map((mask, at) => mask ^ (last[at] ?? 0)) as Buffer,
  );
  const encrypt = (bytes: Buffer) => {
    const aes = createCipheriv("aes-128-ecb", key.subarray(0, 16), null).setAutoPadding(
      false,
    );
    const padded = Buffer.concat([bytes, Buffer.alloc((16 - (bytes.length % 16)) % 16)]);
    return Buffer.concat([aes.update(padded), aes.final()]);
  };
  const verifier = Buffer.alloc(16, 9);
  const header = Buffer.concat([0, 0, 0x660e, 0x8004, 128, 0x18, 0, 0].map(number));
  const info = Buffer.concat([
    ...[0x0002_0004, 0x24, header.length].map(number),
    header,
    number(16),
    salt,
    encrypt(verifier),
    number(20),
    encrypt(sha1(verifier)),
  ]);
  const size = Buffer.concat([number(plain.length), number(0)]);
  return buildCompound({
    EncryptionInfo: info,
    EncryptedPackage: Buffer.concat([size, encrypt(plain)]),
  });
}
