import type { Socket } from 'node:net'

const TICK_MS = 5
/** Bytes delayed by a busy machine may follow immediately; unused bandwidth beyond this is not saved up. */
const CATCH_UP_MS = 250

/** Forwards bytes no faster than that: one large message fills the line for long. */
export const throttled = (to: Socket, bytesPerSecond: number) => {
  let waiting: Buffer[] = []
  let allowedAt = performance.now()
  let timer: ReturnType<typeof setTimeout> | null = null
  const pass = () => {
    timer = null
    while (waiting.length > 0 && performance.now() >= allowedAt) {
      const chunk = waiting.shift() as Buffer
      const piece = chunk.subarray(0, 4_096)
      if (piece.length < chunk.length) waiting.unshift(chunk.subarray(piece.length))
      to.write(piece)
      allowedAt = Math.max(allowedAt, performance.now() - CATCH_UP_MS) + (piece.length / bytesPerSecond) * 1000
    }
    if (waiting.length > 0) timer = setTimeout(pass, TICK_MS)
  }
  to.on('close', () => {
    waiting = []
    if (timer) clearTimeout(timer)
  })
  return (chunk: Buffer) => {
    waiting.push(chunk)
    if (!timer) pass()
  }
}
