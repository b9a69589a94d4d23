/**
 * The names under which the packages are published. This is the only place that decides them: after a change, run
 * `node scripts/rename-packages.mjs`, which rewrites every mention.
 */
export const PACKAGE_NAMES = {
  server: '@tributary/server',
  sdk: '@tributary/sdk',
  tracker: '@tributary/tracker',
}
