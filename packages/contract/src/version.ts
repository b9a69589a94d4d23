import { version } from '../../../package.json'

/** The version of the product, from the root package.json: the only place to change it. */
export const VERSION: string = version
