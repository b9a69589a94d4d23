export { toDecimal as decimal } from '@tributary/contract'
