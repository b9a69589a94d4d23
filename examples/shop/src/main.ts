import { readShopConfig, startShop } from './start-shop.ts'

/** `bun examples/shop/src/main.ts` runs the shop against a service and processor started elsewhere. */
try {
  const shop = startShop(readShopConfig(process.env))
  console.log(`Quillet is running at ${shop.url}`)
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, async () => {
      await shop.stop()
      process.exit(0)
    })
} catch (error) {
  console.error((error as Error).message)
  process.exit(1)
}
