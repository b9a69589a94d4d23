/** Must equal the version in package.json; a test compares them. */
export const VERSION = '0.2.0'

export const USER_AGENT = `tributary-sdk/${VERSION}`
