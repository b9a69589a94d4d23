/** Posts to each URL like the service, with certificates from NODE_EXTRA_CA_CERTS, and prints the results. Every name is this machine. */
import { createPost } from '../../src/webhooks/sending/post.ts'
import { addressRules } from '../../src/webhooks/sending/public-addresses.ts'

const here = [{ address: '127.0.0.1', family: 4 }]
const { post, close } = createPost(addressRules(['127.0.0.1'], (_host, _options, callback) => callback(null, here)))
const results = []
for (const url of process.argv.slice(2)) results.push(await post({ url, headers: {}, body: 'signed' }))
close()
console.log(JSON.stringify(results))
