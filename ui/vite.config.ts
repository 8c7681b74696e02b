import { defineConfig, type Plugin } from 'vite'

/** Of Mermaid only what draws the states of a gate: the other forty kinds of diagram would be most of the package. */
const WANTED = /\/(chunk|stateDiagram-v2|dagre)-\w+\.mjs$/

const STYLE = 'svg.insertBefore(style1, firstChild);'

function onlyStateDiagrams(): Plugin {
  return {
    name: 'only-state-diagrams',
    enforce: 'pre',
    resolveId(source, importer) {
      if (!importer?.includes('/mermaid/dist/')) return null
      const isKept = source.startsWith('./') ? WANTED.test(source) : source !== 'katex'
      return isKept ? null : { id: '\0unused-diagram', moduleSideEffects: false }
    },
    /** A `<style>` would be refused by the page's own rules: drawings are styled by our sheets. */
    transform(code, id) {
      if (!id.endsWith('/mermaid.core.mjs')) return null
      if (!code.includes(STYLE)) throw new Error('mermaid makes its style in another way now: see ui/vite.config.ts')
      return code.replace(STYLE, '')
    },
    load: id =>
      id === '\0unused-diagram' ? 'export const diagram = undefined; export const render = undefined' : null,
  }
}

export default defineConfig({
  root: import.meta.dirname,
  base: './',
  plugins: [onlyStateDiagrams()],
  oxc: { jsx: { runtime: 'automatic' } },
  build: {
    target: 'es2022',
    // what is small must not become a `data:` address: the page may load from its own server only
    assetsInlineLimit: 0,
    emptyOutDir: true,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 2000,
  },
})
