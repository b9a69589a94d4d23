/** As package.json has it; a test compares them. */
export const VERSION = '0.2.0'

export const USER_AGENT = `tributary-sdk/${VERSION}`
