import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { precompress } from './precompress.ts'

const service = process.env.TRIBUTARY_SERVICE ?? 'http://localhost:3000'
const SERVICE_PATHS = ['/api', '/docs', '/openapi.json', '/service-tracker.js', '/healthz', '/readyz', '/metrics']

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwindcss(), precompress()],
  resolve: { alias: { '~': `${import.meta.dirname}/src` } },
  build: {
    manifest: true,
    target: 'es2023',
    // The polyfill would be an inline script; every browser we support preloads modules natively.
    modulePreload: { polyfill: false },
    // Inlined data: URLs in style sheets would need a looser Content-Security-Policy.
    assetsInlineLimit: 0,
    // Without this, every icon that two screens share becomes its own request.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [{ name: 'icons', test: /lucide-react|clsx/ }],
          includeDependenciesRecursively: false,
        },
      },
    },
    chunkSizeWarningLimit: 1000,
  },
  server: {
    proxy: Object.fromEntries(SERVICE_PATHS.map((path) => [path, { target: service }])),
  },
})
