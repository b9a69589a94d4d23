/** As package.json has it; a test compares them. */
export const VERSION = '0.1.0'

export const USER_AGENT = `tributary-sdk/${VERSION}`
