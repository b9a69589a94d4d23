import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readStep } from './run-step.mjs'

/** Licenses of what the service runs on: anyone may use it. */
const RUN = [
  'MIT',
  'MIT-0',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  '0BSD',
  'CC0-1.0',
  'Unlicense',
  'CC-BY-4.0',
]
/** Tools that only build and test leave nothing in the service. */
const BUILD = [...RUN, 'MPL-2.0', 'Python-2.0', 'Unlicense']

const AUDIT_MS = 30_000

/** Every dependency is pinned by its content, has a permissive license, and has no known severe vulnerability. */
export const checkDependencies = async ({ root }) => {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const problems = [...problemsIn(packages), ...(await audit(root))]
  for (const problem of problems) console.error(problem)
  return problems.length === 0 ? 0 : 1
}

export const problemsIn = (packages) =>
  Object.entries(packages).flatMap(([path, { dev, integrity, license, link }]) => {
    if (link || !path.includes('node_modules/')) return []
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
    return [
      ...(integrity ? [] : [`${name}: the lock file has no integrity for it.`]),
      ...(isAllowed(license, dev ? BUILD : RUN) ? [] : [`${name}: its license is ${license ?? 'not given'}.`]),
    ]
  })

const isAllowed = (license = '', allowed) =>
  license.split(' OR ').some((choice) => choice.split(' AND ').every((part) => allowed.includes(part)))

/**
 * npm queries its registry. A registry that does not answer audits, or at all, is reported but no failure: that would
 * stop work offline.
 */
const audit = async (root) => {
  const { stdout } = await readStep('npm', ['audit', '--omit=dev', '--audit-level=high', '--json'], {
    cwd: root,
    shell: process.platform === 'win32',
    timeout: AUDIT_MS,
  })
  const report = reportIn(stdout)
  if (!report) console.log('  (known vulnerabilities were not checked: the registry does not answer audits from here)')
  return dangersIn(report?.vulnerabilities)
}

const reportIn = (stdout) => {
  try {
    const report = JSON.parse(stdout)
    return report.vulnerabilities ? report : undefined
  } catch {
    return undefined
  }
}

export const dangersIn = (vulnerabilities = {}) =>
  Object.values(vulnerabilities)
    .filter(({ severity }) => severity === 'high' || severity === 'critical')
    .map(
      ({ name, severity, range }) =>
        `${name} ${range}: a ${severity} vulnerability is known. Run npm audit for details.`,
    )
