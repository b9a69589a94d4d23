import { dirname, relative, resolve } from 'node:path'
import { Glob } from 'bun'

const SRC = resolve(import.meta.dir, '../../src')

export type SourceFile = { path: string; module: string; text: string; imports: string[] }

const IMPORT = /(?:from|import)\s*\(?\s*'([^']+)'/g

/** Every file of the service with its imports: paths below `src`, or package names. */
export const sourceFiles: SourceFile[] = await Promise.all(
  [...new Glob('**/*.ts').scanSync(SRC)].map(async (path) => {
    const text = await Bun.file(`${SRC}/${path}`).text()
    const imports = [...text.matchAll(IMPORT)].map(([, name = '']) =>
      name.startsWith('.') ? relative(SRC, resolve(SRC, dirname(path), name)) : name,
    )
    return { path, module: path.includes('/') ? (path.split('/')[0] ?? '') : '', text, imports }
  }),
)
