import { expect } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './installed-project.ts'

/** An executable block of a guide: shell commands, or a file with the command that runs it and its output. */
export type Block = {
  section: string
  part: string
  language: 'sh' | 'js' | 'python' | 'php'
  file: string | null
  content: string
  command: string | null
  answer: string | null
}

const PIECE = /^## ([^\n]*)$|^### ([^\n]*)$|^```(\w+)(?: (\S+))?\n(.*?)^```$/gms
const EXECUTED = ['sh', 'js', 'python', 'php']

/** All blocks in order. A one-line `console` block runs the file above it; a `json` block is the expected output. */
export const readGuide = (name: string): Block[] => {
  const blocks: Block[] = []
  let section = ''
  let part = ''
  for (const [, title, subtitle, language = '', file, content = ''] of textOfGuide(name).matchAll(PIECE)) {
    if (title) [section, part] = [title, '']
    if (subtitle) part = subtitle
    const last = blocks.at(-1)
    if (EXECUTED.includes(language))
      blocks.push({ section, part, language, file: file ?? null, content, command: null, answer: null } as Block)
    else if (language === 'console' && last?.file && content.trim().endsWith(` ${last.file}`))
      last.command = content.replace(/^\$ /, '').trim()
    else if (language === 'json' && last) last.answer = content
  }
  return blocks
}

export const textOfGuide = (name: string) => readFileSync(join(ROOT, 'docs/guides', name), 'utf8')

/** `…` matches anything, and as a name, any further fields. Numeric IDs may differ. */
export const asShown = (shown: unknown, key = ''): unknown => {
  if (typeof shown === 'string' && shown.includes('…'))
    return expect.stringMatching(new RegExp(`^${shown.split('…').map(RegExp.escape).join('.+')}$`))
  if (typeof shown === 'number' && /id$/i.test(key)) return expect.any(Number)
  if (Array.isArray(shown)) return shown.map((item) => asShown(item))
  if (typeof shown !== 'object' || shown === null) return shown
  const { '…': leftOut, ...rest } = shown as Record<string, unknown>
  const fields = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, asShown(value, name)]))
  return leftOut === undefined ? fields : expect.objectContaining(fields)
}

/** The call of a PHP or Python block, extracted from its code: JSON fields, path and headers. */
export const callIn = ({ content }: Block) => {
  const [, literal = ''] = /(?:json_encode\(\[|json\.dumps\(\{)(.*?)[\]}]\)/s.exec(content) ?? []
  return {
    fields: [...literal.matchAll(/['"](\w+)['"]\s*(?:=>|:)/g)].map(([, name = '']) => name),
    path: /['"](\/api\/[^'"]+)['"]/.exec(content)?.[1] ?? '',
    sendsKey: /authorization['"]?: ['"]?Bearer ['"] [.+] \S*TRIBUTARY_KEY/.test(content),
    sendsJson: /content-type['"]?: ['"]?application\/json/.test(content),
  }
}
