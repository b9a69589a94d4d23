import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

/** What operators read, and the files that the guides tell them to install. */
const DOCUMENTS = [
  'docs/configuration.md',
  'docs/benchmarks.md',
  'docs/guides',
  'docs/releases/README.md',
  'deploy/grafana',
  'deploy/prometheus',
  'deploy/systemd',
  'CHANGELOG.md',
  'LICENSE',
  'SECURITY.md',
]

const LINK = /!?\[([^\]]*)\]\(([^)\s]+)\)/g

/** Copies the documents to the package in `folder`. A link to a file that the package does not have becomes plain text. */
export const copyDocuments = (root: string, folder: string) => {
  for (const path of DOCUMENTS) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    cpSync(join(root, path), join(folder, path), { recursive: true })
  }
  cpSync(join(root, 'scripts/package/README.md'), join(folder, 'README.md'))
  for (const file of markdownIn(folder)) {
    const text = readFileSync(file, 'utf8')
    writeFileSync(
      file,
      text.replace(LINK, (link, label: string, target: string) => (isMissing(file, target) ? label : link)),
    )
  }
}

const isMissing = (file: string, target: string) =>
  !/^(#|[a-z]+:)/i.test(target) && !existsSync(resolve(dirname(file), target.replace(/#.*/, '')))

const markdownIn = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => name !== 'node_modules')
    .map((name) => join(folder, name))
    .flatMap((path) => (statSync(path).isDirectory() ? markdownIn(path) : path.endsWith('.md') ? [path] : []))
