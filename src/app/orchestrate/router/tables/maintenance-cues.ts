import type { CueTable } from './cue-table.ts'

/** Work on existing code. */
export const bugFixCues: CueTable = {
  en: {
    5: `does not work, doesnt work, not working, stopped working, stack trace, segfault*, segmentation fault, race condition*, memory leak*, off by one, infinite loop*, deadlock*, null pointer*,
        index out of range, cannot read propert*, module not found, modulenotfounderror, unexpected token, traceback, it broke, is broken, are broken, root cause, cors error, hydration mismatch, build broken, still failing, still fails`,
    4: `fix, fixes, fixed, fixing, fxi, bug, bugs, buggy, bugfix*, crash*, broken, broke, breaks, exception*, regression, repair, debug, debugging, panic, throws, throwing, nan, undefined, cant login, invalid token, wrong when, shows wrong, sent twice, run twice,
        runs twice, worked perfectly, causing, fails to, unable to, cannot install, doesnt start, does not start, not starting, fails with, hangs, freezes, *error, *exception, still doesnt, doesnt, does nothing, flicker*, gets stuck, 500 when, get a 500, getting a 500`,
    3: `error, errors, fail, fails, failing, failed, failure*, wrong, incorrect*, issue, since yesterday, anymore, any more, stuck, glitch*, reproduce, not idempotent, mismatch, corrupt*, expected, but got, should be, instead got, null, blank screen, the cause, since the last,
        dig into, figure out why, worked yesterday, since then, missing row*, even though, randomly, immediately, does not, do not see, not correctly, inconsistent*, misplaced, misaligned, disappear*, vanish*, overlap*, truncat*, cut off, garbled, no longer, out of sync, not including, not implemented, not saved, not updated, not visible, not loading, doesnt match, caused, causes, cannot, could not, couldnt, cant, isnt, wont, keeps, missing, out of memory, not shown, not showing, wrong time`,
    2: 'hidden, empty, blank, stale, twice, bad, supposed to, leads to, results in, never, remains, problem, problems, weird, 500, warning, cause, sometimes, unexpected*, not found, investigate, resolve, correct, after upgrading, still, same error, make it work, make it go away, since, leak*, lost, invalid, why is',
    1: 'when, line, if, works, work, after, is, are, shows, gets, was, were, duplicate*, only, no, should, always, currently, previously, instead of, not',
  },
  de: {
    5: 'geht nicht, funktioniert nicht, geht nicht mehr, sturzt ab, sturzt, ist kaputt, klappt nicht, absturz*',
    4: 'fehler beheb*, behebe*, beheb*, reparier*, fixen, fixe, fix, bug, bugs, kaputt*, ursache*, abgesturzt, hangt sich auf',
    3: 'wird nicht, kann nicht, nicht mehr, trotzdem, ungultig*, fehler*, *fehler, fehlermeldung*, falsch*, seit dem update, nan, undefined',
    2: 'problem*, korrigier*',
  },
  fr: {
    5: 'ne marche pas, ne marche plus, ne fonctionne pas, ne fonctionne plus, plante quand, corrige ca, fuite memoire',
    4: 'corrige, corriger, corrige la, corrige le, bug*, plante*, repare*, debogue*, casse*',
    3: 'erreur*, la cause, echoue*, incorrect*',
    2: 'probleme*, faux, fausse',
  },
  es: {
    5: 'no funciona*, no envia*, se cae, no anda, deja de funcionar, encuentra el error, se rompe, no carga, no guarda',
    4: 'arregla*, arreglalo, corrige*, corrigelo, repara*, fallo*, falla, bug*, depura*, soluciona*',
    3: 'error, errores, roto*, la causa',
    2: 'problema*, incorrect*',
  },
  pt: {
    5: 'nao funciona*, nao esta funcionando, trava quando, parou de funcionar, esta quebrado, nao salva, nao carrega',
    4: 'conserta*, conserte*, corrija*, corrige*, bug*, trava*, quebrad*, depure*, resolva o erro, arruma*',
    3: 'erro, erros, falha, o motivo, descubra o motivo',
    2: 'problema*, incorret*',
  },
  it: {
    5: 'non funziona*, va in crash, trova l errore, si blocca, e rotto, non carica, non salva',
    4: 'sistema, sistemalo, sistema il, correggi*, correggilo, ripara*, risolvi*, bug*, crash, aggiusta*',
    3: 'errore, errori, rotto, la causa',
    2: 'problema*, sbagliat*',
  },
  ru: {
    5: 'не удалось, не работает, не работают, перестал* работать, падает, вылетает, зависает, утечк* памяти, сломал*',
    4: 'исправь*, исправить, исправьте, почини*, пофикси*, баг*, крашит*, отлад*, сломан*, найди причину, устрани*',
    3: 'ошибка, ошибку, ошибки, неправильн*, причину',
    2: 'проблем*, неверн*, ошибок',
  },
  zh: {
    5: '没反应, 不工作, 不能用, 无法使用, 崩溃, 报错, 闪退, 内存泄漏, 死循环, 找出原因, 出错了, 不起作用',
    4: '修复, 修一下, 修正, bug, 错误修, debug, 调试, 卡死, 坏了, 失败',
    3: '错误, 异常, 不对, 出错, undefined',
    2: '问题, 原因',
  },
  ja: {
    5: '動かない, 動きません, 動作しない, 落ちます, 落ちる, クラッシュ, 壊れ, 直して, バグ, 原因を調べ, メモリリーク',
    4: '修正, デバッグ, 不具合, 直す, エラーになる, エラーが出, 失敗する',
    3: 'エラー, 原因, おかしい, 例外',
    2: '問題',
  },
  ko: {
    5: '작동하지, 작동 안, 동작하지, 안 돼, 안돼, 죽어, 멈춰, 고쳐, 버그, 크래시, 원인을 찾, 메모리 누수',
    4: '수정해, 수정하, 디버그, 디버깅, 깨져, 오류가 나, 에러가 나',
    3: '오류, 에러, 원인, 예외',
    2: '문제',
  },
}

export const refactorCues: CueTable = {
  en: {
    5: `^refactor, refactor*, factor out, factor the, separate crate, redesign*, reimplement*, no behaviour change, no behavior change, dead code in, remove dead code, spaghetti, extract the, split this,  code duplication, clean code, more readable, untangle*, decouple*, rewrite the, class components, magic strings, magic numbers, single responsibility`,
    4: `rework*, revamp*, unify, restructur*, overhaul*, ergonomic*, conform to, separate modul*, into separate, into multiple, smaller classes, smaller pieces, split up, reorganize, reorganise, dedupe, deduplicate, simplify, clean up, cleanup, tidy*, modernize, modernise, rewrite, rewriting, extract, convert the class, to hooks, into its own function, into packages, into services, dependency injection, async await, to typescript, does too much, it does too much, make it shorter, rename * across, across the codebase, folder structure, reducer, idiomatic, too long`,
    3: 'split, readable, readability, nested, legacy, get rid of, consolidate, rename, convert, replace the callbacks, keep the public interface, monolith module, smaller functions, into smaller, untestable, abstraction*, growing, grow too, too big, classes, submodules, typescript, javascript to',
    2: 'annoyance*, directly, internal*, deprecat*, drop support, trait*, crate*, package*, unused, migrate this, move, remove, instead of, callbacks, structure, module*, shorter, duplicated, duplication, class, enum, usestate, es modules, solid',
    1: 'replace, use, code, function',
  },
  de: {
    5: 'refaktorier*, refactor*, aufraumen, raum, viel zu lang, umstrukturier*',
    4: 'raume, auf, vereinfach*, aufteilen, umschreib*, entkoppel*, zusammenfass*, duplikat*, doppelten code',
    3: 'lesbarer, ubersichtlicher, auslager*, umbau*',
    2: 'klasse*, modul*, umbenenn*',
  },
  fr: {
    5: 'refactor*, refactorise*, trop de duplication, code mort, restructure*',
    4: 'simplifie*, reorganise*, nettoie*, decoupe*, reecris*, duplication*',
    3: 'lisible*, plus propre',
    2: 'module*, classe*, renomme*',
  },
  es: {
    5: 'refactor*, refactoriza*, reestructura*, codigo muerto, codigo duplicado',
    4: 'simplifica*, reorganiza*, limpia*, reescribe*, desordenad*, duplicad*',
    3: 'legible*, divide*, separa*',
    2: 'modulo*, clase*, renombra*',
  },
  pt: {
    5: 'refator*, refatore*, reestrutur*, codigo morto, codigo duplicado, muito repetitivo',
    4: 'simplifi*, reorganiz*, limpe*, reescrev*, repetitiv*, duplicad*',
    3: 'legivel, divida*, separe*',
    2: 'modulo*, classe*, renomei*',
  },
  it: {
    5: 'refactor*, rifattorizza*, riorganizza*, ristruttura*, codice morto, codice duplicato',
    4: 'semplifica*, riscrivi*, pulisci*, duplicat*, troppo complicat*',
    3: 'leggibil*, dividi*, separa*',
    2: 'modul*, classe*, rinomina*',
  },
  ru: {
    5: 'рефактор*, отрефактор*, дублировани*, мертвый код, перепиши*',
    4: 'упрости*, разбей*, реорганиз*, почисти*, вынеси*, раздели*',
    3: 'читаем*, структур*',
    2: 'класс*, модул*, переименуй*',
  },
  zh: {
    5: '重构, 重复代码, 死代码, 整理代码',
    4: '拆分, 简化, 抽取, 提取成, 改写, 解耦, 清理',
    3: '可读性, 结构, 太长',
    2: '模块, 类',
  },
  ja: {
    5: 'リファクタ, 重複が, デッドコード',
    4: '整理, 分割, 簡潔, 共通化, 書き直, 切り出',
    3: '読みやすく, 構造',
    2: 'クラス, モジュール',
  },
  ko: {
    5: '리팩토링, 리팩터링, 중복이, 중복 코드',
    4: '정리하, 분리, 단순화, 쪼개, 나눠',
    3: '가독성, 구조',
    2: '클래스, 모듈',
  },
}

export const performanceCues: CueTable = {
  en: {
    5: `^perf, sluggish, takes too long, too long to, make it faster, speed up, speed it up, too slow, is slow, bundle size, cold start*, n 1 problem, n 1 quer*, lighthouse*, bottleneck*, memory usage, faster, performance, response time*, seconds to load, takes too long, get slower, got slower, latency, throughput`,
    4: 'slow, slower, optimize, optimise, optimization*, optimisation*, memoize, rerender*, re render*, 10x, lag, laggy, load time*, profile the, profile, profiling',
    3: 'expensive computation, reduce the, lower, cut, , benchmark*, seconds, heavy, times out, time out',
    2: 'wastes, many items, large lists, cache, caching, lazy load*, size, memory, n 1, lazy',
    1: 'minutes, min, hour',
  },
  de: {
    5: 'zu langsam, schneller, performance, ladezeit*, optimier*',
    4: 'langsam*, beschleunig*, speicherverbrauch',
    3: 'dauert',
    2: 'cache*',
  },
  fr: {
    5: 'trop lent*, plus rapide*, performance*, optimise*',
    4: 'lent*, accelere*, ralenti*',
    3: 'temps de chargement, memoire',
  },
  es: {
    5: 'tarda demasiado, muy lent*, demasiado lent*, rendimiento, optimiza*, mas rapid*',
    4: 'lent*, acelera*, tarda*',
    3: 'tiempo de carga, memoria',
  },
  pt: {
    5: 'muito lent*, desempenho, performance, otimiz*, mais rapid*',
    4: 'lent*, demora*, aceler*',
    3: 'tempo de carregamento, memoria',
  },
  it: {
    5: 'troppo lent*, prestazion*, ottimizza*, piu veloc*',
    4: 'lent*, velocizza*, accelera*',
    3: 'tempo di caricamento, caricamento, memoria',
  },
  ru: {
    5: 'слишком долго, медленн*, ускорь*, ускорить, производительност*, оптимизируй*, оптимизир*',
    4: 'тормоз*, долго, быстрее',
    3: 'грузится, памят*',
  },
  zh: { 5: '太慢, 性能, 优化, 加载慢, 提速', 4: '慢, 加速, 卡顿, 更快', 3: '内存占用, 缓存' },
  ja: { 5: '遅い, 速くして, 高速化, パフォーマンス, 最適化, 重い', 4: '遅く, 速く, 時間がかかる', 3: 'メモリ使用' },
  ko: { 5: '너무 느려, 느려, 최적화, 성능, 빠르게', 4: '느린, 속도, 오래 걸', 3: '로딩, 메모리 사용' },
}
