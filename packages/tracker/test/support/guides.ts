import { join } from 'node:path'

export type Block = { language: string; code: string }

/** The code of a guide, with the names of its examples replaced by those of the test. */
export const blocksOf = async (guide: string, names: Record<string, string>): Promise<Block[]> => {
  const text = await Bun.file(join(import.meta.dir, '../../../../docs/guides', guide)).text()
  const replaced = Object.entries(names).reduce((all, [name, value]) => all.replaceAll(name, value), text)
  return [...replaced.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, language = '', code = '']) => ({ language, code }))
}

/** The one block of a language that holds a word. */
export const blockWith = (blocks: Block[], language: string, word: string) => {
  const found = blocks.filter((block) => block.language === language && block.code.includes(word))
  if (found.length !== 1) throw new Error(`${found.length} ${language} blocks hold ${word}`)
  return found[0]?.code ?? ''
}

/** `…` stands for anything. */
export const asPattern = (shown: string) => new RegExp(`^${shown.trim().split('…').map(RegExp.escape).join('.+')}$`)
