import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const pathOf = (source: string) => fileURLToPath(new URL(`../src/${source}`, import.meta.url))

/** Bundles into one minified ES2018 file without imports. */
export const bundle = async (source: 'script.ts' | 'index.ts') => {
  const bundler = await rolldown({ input: pathOf(source), transform: { target: 'es2018' } })
  const format = source === 'script.ts' ? 'iife' : 'esm'
  const { output } = await bundler.generate({ format, minify: true })
  await bundler.close()
  return output[0].code
}
