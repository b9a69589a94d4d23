/** How an operator types our commands. The npm package has JavaScript; sources run only in a clone. */
export const TRIBUTARY = import.meta.path.endsWith('.ts') ? 'npm run tributary --' : 'tributary'
