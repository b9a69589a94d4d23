import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

const FORMAT = 1
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Bound to its program: a sealed secret copied to another program's row does not open. */
const associatedData = (programId: number) => Buffer.from(`signing secret of program ${programId}`)

/**
 * AES-256-GCM as `format, nonce, tag, text`: a copy of the database alone is not enough to sign events. Each kind of secret has its own
 * key.
 */
export const sealSecret = (key: Buffer, { programId, secret }: { programId: number; secret: string }) => {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(associatedData(programId))
  const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
  return Buffer.concat([Buffer.of(FORMAT), nonce, cipher.getAuthTag(), text])
}

/** Null if it was sealed with another key (a database without its secrets.json) or for another program. */
export const openSecret = (key: Buffer, { programId, sealed }: { programId: number; sealed: Uint8Array }) => {
  const bytes = Buffer.from(sealed)
  if (bytes[0] !== FORMAT) return null
  const nonce = bytes.subarray(1, 1 + NONCE_BYTES)
  const tag = bytes.subarray(1 + NONCE_BYTES, 1 + NONCE_BYTES + TAG_BYTES)
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, nonce).setAAD(associatedData(programId)).setAuthTag(tag)
    const text = bytes.subarray(1 + NONCE_BYTES + TAG_BYTES)
    return decipher.update(text, undefined, 'utf8') + decipher.final('utf8')
  } catch {
    return null
  }
}
