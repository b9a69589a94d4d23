import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Turns the section “Unreleased” into the release's section. Returns an error sentence if the changelog says nothing about the
 * release.
 */
export const releaseChangelog = (root, version) => {
  const file = join(root, 'CHANGELOG.md')
  const text = readFileSync(file, 'utf8')
  if (text.includes(`\n## ${version}\n`)) return null
  if (!/\n## Unreleased\n+(?!##)\S/.test(text))
    return 'CHANGELOG.md has no entries under "## Unreleased". Write what users notice, then release.'
  writeFileSync(file, text.replace('\n## Unreleased\n', `\n## ${version}\n`))
  return null
}
