import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const read = (root, path) => readFileSync(join(root, path), 'utf8')

export const currentVersion = (root) => JSON.parse(read(root, 'package.json')).version

export const isNewer = (version, than) => {
  const [a, b] = [version, than].map((text) => text.split('.').map(Number))
  const part = [0, 1, 2].find((index) => a[index] !== b[index])
  return part !== undefined && a[part] > b[part]
}

/** Files that contain the version of the product; packages of this repository always have the same one. */
export const versionedFiles = (root) => [
  'package.json',
  'package-lock.json',
  'packages/sdk/src/version.ts',
  'deploy/helm/tributary/Chart.yaml',
  ...['apps', 'packages', 'examples'].flatMap((parent) =>
    readdirSync(join(root, parent))
      .map((name) => `${parent}/${name}/package.json`)
      .filter((path) => existsSync(join(root, path))),
  ),
]

/** Replaces our version in manifests, the lock file, the SDK and the chart, and leaves those of dependencies alone. */
export const setVersion = (root, version) => {
  const from = currentVersion(root)
  for (const path of versionedFiles(root)) {
    const text = read(root, path)
    const changed = path === 'package-lock.json' ? inLock(text, { from, version }) : inManifest(text, { from, version })
    if (changed !== text) writeFileSync(join(root, path), changed)
  }
}

const inManifest = (text, { from, version }) =>
  text
    .replace(`"version": "${from}"`, `"version": "${version}"`)
    .replace(`VERSION = '${from}'`, `VERSION = '${version}'`)
    .replace(`appVersion: "${from}"`, `appVersion: "${version}"`)
    .replace(`version: ${from}\n`, `version: ${version}\n`)
    .replace(/"(@tributary\/[\w-]+)": "([^"]+)"/g, (line, name, wanted) =>
      wanted === from ? `"${name}": "${version}"` : line,
    )

/** Entries of our own folders have no `resolved` address. */
const inLock = (text, { from, version }) => {
  const lock = JSON.parse(text)
  lock.version = version
  for (const [path, entry] of Object.entries(lock.packages)) {
    if (path.includes('node_modules')) continue
    if (entry.version === from) entry.version = version
    for (const kind of ['dependencies', 'devDependencies'])
      for (const [name, wanted] of Object.entries(entry[kind] ?? {}))
        if (name.startsWith('@tributary/') && wanted === from) entry[kind][name] = version
  }
  return `${JSON.stringify(lock, null, 2)}\n`
}
