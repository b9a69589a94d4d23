import { type LOGO_TYPES, MAX_LOGO_PIXELS } from '@tributary/contract'
import { Refusal } from '../refusal.ts'

type Image = { type: (typeof LOGO_TYPES)[number]; width: number; height: number }

/** What the bytes are, whatever the caller says. Null unless they are a PNG, JPEG or WebP image with a readable size. */
export const readImage = (bytes: Buffer): Image | null => {
  try {
    return readPng(bytes) ?? readWebp(bytes) ?? readJpeg(bytes)
  } catch (error) {
    // A header that ends early.
    if (error instanceof RangeError) return null
    throw error
  }
}

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

const readPng = (bytes: Buffer): Image | null =>
  bytes.subarray(0, 8).equals(PNG) && bytes.toString('latin1', 12, 16) === 'IHDR'
    ? { type: 'image/png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
    : null

/** The three encodings of WebP store the size in different places. */
const readWebp = (bytes: Buffer): Image | null => {
  if (bytes.toString('latin1', 0, 4) !== 'RIFF' || bytes.toString('latin1', 8, 12) !== 'WEBP') return null
  const type = 'image/webp'
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8X':
      return { type, width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 }
    case 'VP8L': {
      const bits = bytes.readUInt32LE(21)
      return { type, width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
    }
    case 'VP8 ':
      return { type, width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff }
    default:
      return null
  }
}

/** Markers that start a frame, which contains the size: C0 to CF without tables and arithmetic conditioning. */
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)

const readJpeg = (bytes: Buffer): Image | null => {
  if (bytes.readUInt16BE(0) !== 0xffd8) return null
  for (let at = 2; bytes.readUInt8(at) === 0xff; at += 2 + bytes.readUInt16BE(at + 2))
    if (isFrame(bytes.readUInt8(at + 1)))
      return { type: 'image/jpeg', height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) }
  return null
}

/** The type to serve the logo with. Throws for anything that is not an image of a usable size. */
export const logoType = (bytes: Buffer) => {
  const image = readImage(bytes)
  if (!image)
    throw new Refusal('invalid_request', 'The logo must be a PNG, JPEG or WebP image. Other formats are not accepted.')
  const { type, width, height } = image
  if (Math.min(width, height) < 1 || Math.max(width, height) > MAX_LOGO_PIXELS)
    throw new Refusal(
      'invalid_request',
      `The logo is ${width} × ${height} pixels. It must be at most ${MAX_LOGO_PIXELS} pixels wide and high.`,
    )
  return type
}
