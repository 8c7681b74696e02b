import type { CueTable } from './cue-table.ts'

/** Reviews, planning and questions: work that changes nothing at first. */
export const securityReviewCues: CueTable = {
  en: {
    5: `sql injection*, security audit*, security review*, vulnerabilit*, vulnerable, threat model*, owasp, pentest*, penetration test*, xss, csrf, ssrf, cve*, secrets committed, path traversal, npm audit, leaked key*, security hole*, security issue*, security wise, attack surface, privilege escalation`,
    4: '^audit, audit, token permissions, security, harden*, exploit*, secrets, leaked, malicious, sanitize, sanitise, insecure, exposed, injection*, encrypt*, safe',
    2: 'permission*, token*, verify, bypass, auth flow, attacker*, scan, credentials, audit, eval',
    1: 'check, auth, jwt',
  },
  de: {
    5: 'sicherheitslucke*, sicherheits*, schwachstelle*, angriffsflache*',
    4: 'sicherheit, angreifbar*, absicher*, geheimnisse',
    2: 'prufe',
  },
  fr: {
    5: 'faille* de securite, failles de securite, vulnerabilite*, audit de securite',
    4: 'securite, faille*, injection*',
    2: 'verifie',
  },
  es: {
    5: 'vulnerabilidad*, seguridad, agujero* de seguridad, auditoria de seguridad',
    4: 'inyeccion*, insegur*',
    2: 'en busca de',
  },
  pt: {
    5: 'vulnerabilidade*, falha* de seguranca, falhas de seguranca, auditoria de seguranca',
    4: 'seguranca, injecao*, insegur*',
    2: 'verifique',
  },
  it: {
    5: 'vulnerabilita, sicurezza, falle di sicurezza, falla di sicurezza',
    4: 'injection*, insicur*',
    2: 'controlla',
  },
  ru: { 5: 'уязвимост*, безопасност*, инъекци*, пентест*', 4: 'дыр*, взлом*, секрет*', 2: 'проверь' },
  zh: { 5: '安全漏洞, 漏洞, 安全审计, 注入攻击, 渗透测试', 4: '安全, 注入, 泄露, 权限检查', 2: '检查, 权限' },
  ja: { 5: '脆弱性, セキュリティ, インジェクション', 4: '安全, 漏洩, 権限', 2: '確認, チェック' },
  ko: { 5: '취약점, 보안, 인젝션', 4: '안전한지, 유출, 권한', 2: '확인' },
}

export const codeReviewCues: CueTable = {
  en: {
    5: `code review*, review my, review this pr, review pr, review the pr, review this pull request, review the pull request, look over, second pair of eyes, feedback on, look over this diff, review this change, review the diff, review these changes, does this change look, look right to you, what do you think of this, lgtm`,
    4: 'review, reviews, reviewing, this diff, feedback, critique, thoughts, my code, before i push, before i merge, nitpick*, be strict',
    3: 'git diff, diff, check my, pull request, what do you think, anything i should improve, mistakes, last commit',
    2: 'pr, my changes, the changes in, correctness',
  },
  de: {
    5: 'code review, schau mal, schau * uber, reviewe*, durchsehen, druberschauen, druber, was haltst du',
    4: 'review*, letzten commit, pull request, feedback, ruckmeldung',
    2: 'anschauen',
  },
  fr: {
    5: 'revue de code, relis*, relecture, passe en revue, fais une revue',
    4: 'revue, pull request, mes changements, que penses tu',
    2: 'avis',
  },
  es: {
    5: 'revision de codigo, revisa mi, revisa este pr, revisa el pull request, revisa los cambios',
    4: 'revisa, pull request, ultimo commit, que opinas',
    2: 'cambios',
  },
  pt: {
    5: 'revise meu, revisao de codigo, revise o pull request, revise esse pr, revisa meu',
    4: 'revise, revisa, pull request, o que acha',
    2: 'mudancas',
  },
  it: {
    5: 'revisione del codice, dai un occhiata, rivedi*, cosa ne pensi, revisiona*',
    4: 'pull request, mie modifiche, code review',
    2: 'modifiche',
  },
  ru: {
    5: 'код ревью, код-ревью, ревью, пулл реквест*, пулреквест*, дай замечания, сделай ревью',
    4: 'замечани*, посмотри мой, мой коммит, проверь мой код, что думаешь',
    2: 'посмотри',
  },
  zh: { 5: '审查, 代码审查, 评审, review, code review, 看一下我的代码', 4: '拉取请求, 提意见, pr', 2: '看看' },
  ja: { 5: 'レビュー, コードレビュー, プルリクエスト', 4: 'プルリク, 見てもらえ, 差分を見', 2: '見て' },
  ko: { 5: '리뷰, 코드 리뷰, 풀 리퀘스트, 검토', 4: 'pr, 봐줘', 2: '의견' },
}

export const analysisCues: CueTable = {
  en: {
    5: `analyze, analyse, analyzing, analysis, overview of this repo, technical debt, access logs, give me a breakdown, breakdown, list all places, trace what happens, common causes, count lines, trends per, tell me which, where the time goes, assess, write it up, find out how much, summarize the differences, summarise the differences`,
    4: 'trace, overview, statistics, plot, plots, trends, insights, summarise, summarize, compare the outputs, by package, by language, where in the codebase, incidents, with numbers, unmaintained, report on, usage of, inventory of, map out, dependencies between',
    3: 'find out, tell me, count, list all, logs, which of our, measure, correlat*, csv, per quarter, differences, summary of, what takes up',
    2: 'compare, how much, report, most, numbers, codebase, find, dont change anything, entry points',
    1: 'why, which, repo, data',
  },
  de: {
    5: 'analysier*, analyse, werte, auswert*, auswertung*, fasse',
    4: 'logdatei*, zusammenfass*, fasse * zusammen, statistik*, ubersicht*',
    3: 'haufigsten, zahle, ermittle',
  },
  fr: {
    5: 'analyse*, analyser, tendances',
    4: 'resume*, statistique*, synthese*, vue d ensemble',
    3: 'ventes, journaux, les logs, compte',
  },
  es: {
    5: 'analiza*, analisis, tendencias',
    4: 'resume*, estadistica*, resumen, registros y dime',
    3: 'mas comunes, ventas, los registros, cuenta',
  },
  pt: { 5: 'analise*, analisa*, tendencias', 4: 'resum*, estatistica*', 3: 'vendas, o log, me diga, conte' },
  it: {
    5: 'analizza*, analisi, tendenze',
    4: 'riassumi*, statistich*, riepilog*',
    3: 'vendita, vendite, i log, conta',
  },
  ru: {
    5: 'проанализируй*, анализ*, тренд*',
    4: 'логи, статистик*, резюмируй*, обобщи*, сводк*, самые частые',
    3: 'посчитай*, найди самые, за неделю',
  },
  zh: { 5: '分析, 统计, 趋势', 4: '总结, 日志, 汇总, 概览', 3: '最常见, 列出, 数一下' },
  ja: { 5: '分析, 集計, 傾向', 4: 'まとめて, ログを, 要約, 統計', 3: 'よくある, 一覧, 調査' },
  ko: { 5: '분석, 통계, 추세', 4: '정리해, 로그를, 요약', 3: '가장 흔한, 목록, 집계' },
}

export const researchCues: CueTable = {
  en: {
    5: `^investigate, ^explore, ^evaluate, ^compare, ^look up, research, pros and cons, recommend one, prior art, state of the art, best options for, find a library, search the web, look up, literature, survey, evaluate whether, should we switch, best library, alternatives to, papers, which orm, spike, feasibility, recommend a`,
    4: 'compare, comparison, recommend, recommendation, evaluate, alternatives, options for, how other companies, best practice*, library for, would you pick, investigate options, benchmarks of, vs, versus, collect',
    3: 'investigate, possibility of, find out whether, explore, options, look into, web search, google for, which library, report back, can we use, other companies',
    2: 'best, switch from, libraries, pick, choose, tool for, why',
  },
  de: {
    5: 'recherchier*, vergleiche, empfiehl*, vergleich, empfehlung*',
    4: 'alternativen, bibliotheken fur, bewerte*',
    3: 'bibliothek*, welche, suche nach',
  },
  fr: {
    5: 'compare*, recherche des, recommandation*, recommande*, etat de l art, fais une recherche',
    4: 'alternatives, avantages et inconvenients, evalue*',
    3: 'frameworks, bibliotheque*, meilleur*',
  },
  es: {
    5: 'investiga*, compara*, recomienda*, conviene mas, recomendacion*',
    4: 'alternativas, ventajas y desventajas, evalua*',
    3: 'biblioteca*, librerias, mejor opcion, conviene',
  },
  pt: {
    5: 'pesquise*, pesquisa*, compare*, recomende*, recomendacao*',
    4: 'alternativas, vantagens e desvantagens, avalie*',
    3: 'biblioteca*, melhor opcao',
  },
  it: {
    5: 'confronta*, consigliami*, ricerca su, raccomanda*, consiglia*',
    4: 'alternative, vantaggi e svantaggi, valuta*, il migliore',
    3: 'libreri*, migliore',
  },
  ru: {
    5: 'сравни*, посоветуй*, порекомендуй*, исследуй*, изучи*',
    4: 'альтернатив*, плюсы и минусы, какую лучше, лучшую для',
    3: 'библиотек*, лучш*',
  },
  zh: { 5: '对比, 比较, 推荐, 调研, 优缺点', 4: '选型, 哪个好, 替代方案', 3: '几种, 库' },
  ja: { 5: '比較, おすすめ, リサーチ, 調査して, 選定', 4: '代替, メリットとデメリット, どれがいい', 3: 'ライブラリ' },
  ko: { 5: '비교, 추천, 조사해, 리서치', 4: '대안, 장단점, 뭐가 좋', 3: '라이브러리' },
}

export const planningCues: CueTable = {
  en: {
    5: `plan the, make a plan, design the architecture, architecture of, design doc*, technical design, break this epic, into tickets, roadmap, estimate the effort, draft a strategy, do not change anything yet, dont code yet, before you write any code, plan first, propose a layout, how would you structure, how would you add, migration plan, implementation plan, system design, no code yet, how to model`,
    4: 'plan, planning, architecture, strategy, propose, proposal, approaches, estimate, epic, tickets, rfc, milestones, user stories, phases, sketch, think about how, break down, brainstorm, how would you, trade offs',
    3: '^define, ^decide, ^discuss, ^propose, ^plan, ^design, define, timeline, stories, design, structure a, scope, next quarter, risks, draft, outline, think about, yet, approach, best approach, timeline, milestone*, acceptance criteria, prioriti*, cost on',
    2: 'high level, monorepo',
  },
  de: {
    5: 'entwirf*, architektur*, plane, planung*, konzept*, noch nichts programmieren, noch nicht umsetzen',
    4: 'plan, strategie*, entwurf*, vorschlag*, schatze',
    3: 'aufwand*, roadmap',
  },
  fr: {
    5: 'propose un plan, architecture, sans coder, un plan pour, concois l architecture, feuille de route',
    4: 'plan, planifie*, strategie*, propose*, estime*, conception',
    3: 'concois*, etapes',
  },
  es: {
    5: 'disena la arquitectura, arquitectura, un plan para, hoja de ruta, sin programar',
    4: 'plan, planifica*, estrategia*, propon*, estima*',
    3: 'disena*, diseno, etapas',
  },
  pt: {
    5: 'elabore um plano, um plano para, arquitetura, projete a arquitetura, sem programar',
    4: 'plano, planej*, estrategia*, proponha*, estime*',
    3: 'projete*, elabore*, etapas',
  },
  it: {
    5: 'progetta l architettura, architettura, un piano per, senza programmare',
    4: 'piano, pianifica*, strategia*, proponi*, stima*',
    3: 'progetta*, fasi',
  },
  ru: {
    5: 'спроектируй*, архитектур*, составь план, план миграции, дорожн* карт*',
    4: 'план, спланируй*, стратеги*, предложи*, оцени*',
    3: 'проектирован*, этап*',
  },
  zh: { 5: '架构, 设计方案, 制定计划, 技术方案, 路线图', 4: '计划, 规划, 方案, 设计一个', 3: '设计, 估算, 步骤' },
  ja: { 5: 'アーキテクチャ, 設計して, 計画を立て, ロードマップ', 4: '計画, 設計, 方針, 見積', 3: '提案, 構成案' },
  ko: { 5: '아키텍처, 설계해, 계획을 세워, 로드맵', 4: '계획, 설계, 전략, 견적', 3: '제안, 방안' },
}

export const questionCues: CueTable = {
  en: {
    5: `what does this, what does the, how does the, how does this, whats the difference, what is the difference, explain this, what is a, what is an, how do i, who calls, can i use, should i, is it safe to, where is the, why do we, what happens if, do we already have, does this library, i dont understand, explain like, whats the command, which version, which node version, how many, eli5, whats the max, any idea why, what does, where are the, what are the, how do we`,
    4: `^how, ^what, ^whats, ^where, ^why, ^which, ^who, ^is, ^are, ^does, ^do, ^can i, ^can we, ^should, ^explain, can you explain, any idea, is it possible, is there a way,
        quick question, question about, ^when does, ^will, ^did`,
    2: '?, meaning of, difference between, tell me about, anyone know, understand, explain, is there a, possible to',
    1: 'how, what, why, where, which, does, mean, means, wondering',
  },
  de: {
    5: 'was macht, wie funktioniert, was ist, was bedeutet, warum nutzen, wieso brauchen, wo ist, wo liegt, wofur, wie starte ich',
    4: '^warum, ^wieso, ^weshalb, ^erklar*, ^wie, ^was, ^wozu, ^wo, ^wer, ^welche, ^gibt es, ^kann ich, ^kann man',
    2: 'warum, wieso, weshalb, wie, was, wozu, gibt es, erklar*',
  },
  fr: {
    5: 'a quoi sert, comment fonctionne, que fait, qu est ce que, comment lancer, c est quoi, pourquoi on',
    4: '^pourquoi, ^comment, ^explique*, ^quel*, ^ou, ^est ce que, ^que, ^qui',
    2: 'pourquoi, comment, explique*, quelle est, ou se trouve, est ce que',
  },
  es: {
    5: 'que hace, como funciona, que es, para que sirve, como ejecuto, donde esta, por que usamos',
    4: '^por que, ^como, ^explica*, ^cual*, ^donde, ^que, ^quien, ^puedo, ^se puede',
    2: 'por que, como funciona, explica*, cual es, donde',
  },
  pt: {
    5: 'o que esse, o que faz, como funciona, o que e, para que serve, como eu rodo, onde fica, como rodo',
    4: '^por que, ^como, ^explique*, ^qual*, ^onde, ^o que, ^quem, ^posso',
    2: 'por que, explique*, qual e, onde',
  },
  it: {
    5: 'cosa fa, come funziona, che cos e, a cosa serve, perche usiamo, come avvio, dove si trova, come eseguo',
    4: '^perche, ^come, ^spiega*, ^cosa, ^dove, ^quale, ^chi, ^posso',
    2: 'perche, spiega*, dove',
  },
  ru: {
    5: 'что делает, как работает, что такое, зачем, как запустить, где находится, для чего',
    4: '^почему, ^как, ^объясни*, ^где, ^что, ^какой, ^какая, ^кто, ^можно ли',
    2: 'почему, объясни*, можно ли',
  },
  zh: {
    5: '是做什么的, 是什么, 怎么运行, 什么意思, 有什么区别, 做什么用, 怎么用, 如何运行',
    4: '为什么, 怎么, 如何, 解释, 在哪里, 什么',
    2: '吗, 哪个, 谁',
  },
  ja: {
    5: '何をして, とは何, どうやって, どういう意味, 違いは, 何ですか, なぜ使',
    4: 'なぜ, どう, 何を, どこ, 教えて, 説明して',
    2: 'ですか, ますか, の？, 誰',
  },
  ko: {
    5: '뭐 하는, 무엇을 하, 어떻게 실행, 무슨 뜻, 차이가 뭐, 뭐야, 왜 사용',
    4: '왜, 어떻게, 뭐, 무엇, 어디, 설명해',
    2: '인가요, 나요, 누가',
  },
}

export const otherCues: CueTable = {
  en: {
    5: 'thanks, thank you, thx, good morning, good evening, how are you, tell me a joke, joke, poem, go ahead, the other one, what next, try again, continue, go on, hello, keep going, recipe, sounds good, never mind, nevermind, lgtm ship it, do it, looks good',
    4: 'hi, hey there, yes, no, ok, okay, stop, yep, nope, nice, cool, great, perfect, wait, cancel, sure, yeah, done',
    1: 'good, works, please',
  },
  de: {
    5: 'danke*, guten morgen, guten tag, passt so, weiter so, mach weiter, hallo',
    4: 'ja, nein, weiter, super, passt, stopp',
  },
  fr: { 5: 'merci*, bonjour, salut, au revoir, continue', 4: 'oui, non, parfait, d accord, super' },
  es: { 5: 'gracias, hola, buenos dias, adios, sigue', 4: 'si, perfecto, vale, continua' },
  pt: { 5: 'obrigad*, ola, bom dia, tchau, ficou otimo', 4: 'sim, perfeito, otimo, continue' },
  it: { 5: 'grazie, ciao, buongiorno, arrivederci, continua', 4: 'si, perfetto, va bene' },
  ru: { 5: 'спасибо, привет, добрый день, пока, продолжай', 4: 'да, нет, отлично, хорошо, стоп' },
  zh: { 5: '谢谢, 你好, 早上好, 再见, 继续', 4: '好的, 是的, 不是, 可以了' },
  ja: { 5: 'ありがとう, こんにちは, おはよう, さようなら, 続けて', 4: 'はい, いいえ, 了解, オーケー' },
  ko: { 5: '고마워, 감사합니다, 안녕, 계속해', 4: '네, 아니요, 좋아' },
}
