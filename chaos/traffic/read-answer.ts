import type { Answer } from './caller.ts'

/** The response in these bytes, once it is complete. The service always sends its length. */
export const answerIn = (text: Buffer): Omit<Answer, 'milliseconds'> | null => {
  const end = text.indexOf('\r\n\r\n')
  if (end === -1) return null
  const [first = '', ...lines] = text.toString('latin1', 0, end).split('\r\n')
  const headers: Record<string, string> = {}
  for (const line of lines) {
    const colon = line.indexOf(':')
    const name = line.slice(0, colon).toLowerCase()
    const value = line.slice(colon + 1).trim()
    headers[name] = name === 'set-cookie' && headers[name] ? `${headers[name]}\n${value}` : value
  }
  const length = Number(headers['content-length'] ?? 0)
  if (text.length < end + 4 + length) return null
  const body = text.toString('utf8', end + 4, end + 4 + length)
  return { status: Number(first.split(' ')[1]), headers, body: body.startsWith('{') ? JSON.parse(body) : body }
}
