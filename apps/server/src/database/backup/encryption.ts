import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { Transform, type TransformCallback } from 'node:stream'
import { StartupError } from '../../config/startup-error.ts'

/**
 * An encrypted backup is the line below, 32 random bytes of salt, and chunks of 64 KiB, each sealed with AES-256-GCM and followed
 * by its 16-byte tag. The key is HKDF-SHA256 of BACKUP_KEY and the salt; the nonce is the chunk's number (11 bytes) and 1 for the
 * last chunk, else 0. So a chunk that was changed, moved, removed or cut off does not open.
 */
export const MAGIC = Buffer.from('tributary-encrypted-backup 1\n')
const SALT_BYTES = 32
export const HEADER_BYTES = MAGIC.length + SALT_BYTES
const CHUNK_BYTES = 65_536
const TAG_BYTES = 16
const CIPHER = 'aes-256-gcm'

const deriveFileKey = (key: string, salt: Buffer) =>
  Buffer.from(hkdfSync('sha256', key, salt, 'tributary backup file', 32))

const nonceOf = (number: number, isLast: boolean) => {
  const nonce = Buffer.alloc(12)
  nonce.writeUIntBE(number, 5, 6)
  nonce[11] = isLast ? 1 : 0
  return nonce
}

/** Passes on pieces of exactly `size` bytes and keeps the rest, at least one byte, for the last one. */
const inPieces = (size: number, seal: (piece: Buffer, isLast: boolean) => Buffer) => {
  let rest: Buffer = Buffer.alloc(0)
  const attempt = (work: () => void, done: TransformCallback) => {
    try {
      work()
      done()
    } catch (error) {
      done(error as Error)
    }
  }
  return new Transform({
    transform(data: Buffer, _, done) {
      attempt(() => {
        rest = rest.length === 0 ? data : Buffer.concat([rest, data])
        while (rest.length > size) {
          this.push(seal(rest.subarray(0, size), false))
          rest = rest.subarray(size)
        }
      }, done)
    },
    flush(done) {
      attempt(() => this.push(seal(rest, true)), done)
    },
  })
}

export const encrypt = (key: string) => {
  const salt = randomBytes(SALT_BYTES)
  const fileKey = deriveFileKey(key, salt)
  let number = 0
  const stream = inPieces(CHUNK_BYTES, (piece, isLast) => {
    const cipher = createCipheriv(CIPHER, fileKey, nonceOf(number++, isLast))
    return Buffer.concat([cipher.update(piece), cipher.final(), cipher.getAuthTag()])
  })
  stream.push(Buffer.concat([MAGIC, salt]))
  return stream
}

/** For what follows the header. */
export const decrypt = (key: string, { header, file }: { header: Buffer; file: string }) => {
  const fileKey = deriveFileKey(key, header.subarray(MAGIC.length))
  let number = 0
  return inPieces(CHUNK_BYTES + TAG_BYTES, (piece, isLast) => {
    const decipher = createDecipheriv(CIPHER, fileKey, nonceOf(number++, isLast))
    try {
      decipher.setAuthTag(piece.subarray(piece.length - TAG_BYTES))
      return Buffer.concat([decipher.update(piece.subarray(0, piece.length - TAG_BYTES)), decipher.final()])
    } catch {
      throw new StartupError(
        number === 1
          ? `${file} does not open with this BACKUP_KEY, or it is damaged.`
          : `${file} is not a complete Tributary backup: it is damaged or truncated.`,
      )
    }
  })
}
