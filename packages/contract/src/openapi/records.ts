/** Every file that declares operations. */
export * from '../accounts/security-operations.ts'
export * from '../money/audit-operations.ts'
export * from '../outbox/event-operations.ts'
export * from '../portal/portal-link-operations.ts'
export * from '../programs/api-key-operations.ts'
export * from '../programs/group-operations.ts'
export * from '../programs/link-operations.ts'
