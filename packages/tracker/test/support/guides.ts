import { join } from 'node:path'

export type Block = { language: string; code: string }

/** The code blocks of a guide, with example values replaced by those of the test. */
export const blocksOf = async (guide: string, names: Record<string, string>): Promise<Block[]> => {
  const text = await Bun.file(join(import.meta.dir, '../../../../docs/guides', guide)).text()
  const replaced = Object.entries(names).reduce((all, [name, value]) => all.replaceAll(name, value), text)
  return [...replaced.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, language = '', code = '']) => ({ language, code }))
}

/** The only block in this language that contains the text. */
export const blockWith = (blocks: Block[], language: string, text: string) => {
  const found = blocks.filter((block) => block.language === language && block.code.includes(text))
  if (found.length !== 1) throw new Error(`${found.length} ${language} blocks contain ${text}`)
  return found[0]?.code ?? ''
}

/** `…` matches anything. */
export const asPattern = (shown: string) => new RegExp(`^${shown.trim().split('…').map(RegExp.escape).join('.+')}$`)
