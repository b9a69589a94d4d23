import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

const EXCLUDED = /(^|\/)(dist|test|node_modules)(\/|$)/

/** A hash of the names and contents of files and folders, without builds and tests. */
export const fingerprint = (root, sources, isExcluded = (_) => false) => {
  const hash = createHash('sha256')
  for (const path of sources.flatMap((source) => filesIn(root, source)))
    if (!isExcluded(path)) hash.update(path).update(readFileSync(join(root, path)))
  return hash.digest('hex')
}

const filesIn = (root, path) => {
  if (!statSync(join(root, path)).isDirectory()) return [path]
  return readdirSync(join(root, path), { recursive: true, encoding: 'utf8' })
    .map((name) => `${path}/${name.replaceAll('\\', '/')}`)
    .filter((name) => !EXCLUDED.test(name.slice(path.length)) && statSync(join(root, name)).isFile())
    .sort()
}
