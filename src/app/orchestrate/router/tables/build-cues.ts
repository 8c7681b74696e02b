import type { CueTable } from './cue-table.ts'

/** Building something: the thing that is built decides the intent. */
export const webAppCues: CueTable = {
  en: {
    5: `web app*, webapp*, web application*, website*, web site*, landing page*, single page app*, web shop, webshop, online shop,
        online store, web page*, webpage*, full stack app*, fullstack app*, progressive web app, pwa, home page, homepage`,
    4: `frontend, front end, navbar, nav bar, sidebar, hero section, saas, kanban*, storefront, figma, wireframe*, web ui,
        settings page, admin panel, admin area, signup form, login form, contact form, sign up form, chat ui, full stack, fullstack`,
    3: `dashboard*, responsive, css, tailwind*, html, react component*, vue, svelte*, nextjs, next js, nuxt*, angular, dark mode,
        light mode, carousel*, modal*, tooltip*, breadcrumb*, checkout page, layout, drag and drop, spinner*, accordion*, sticky,
        portfolio, blog, clone of, drawer, asp net, theme*, stylesheet*, favicon*, bootstrap, shadcn, wordpress, astro`,
    2: `list view, wireframe*, displays, display, tooltips, under the, map, map view, mapview, results page, screen, screens, error page*, interface, react, page*, site, sites, component*, header*, footer*, button*, form, forms, ui, ux, padding, margin*, center, centre, font*,
        color*, colour*, icon*, hover*, click*, tabs, tab, menu*, dropdown*, screen reader*, aria, animation*, div, desktop, column*, browser*,
        banner*, mockup*, pixel*, shop, catalogue, styling, style*, hero`,
    1: 'build, create, design, view, views, app, apps, application, admin, chart*, table, user management, platform*, online, mvp, prototype*',
  },
  de: {
    5: 'webseite*, website*, internetseite*, webanwendung*, webapp*, onlineshop*, online shop*, homepage, landingpage*',
    3: 'oberflache*, dashboard*, navigationsleiste*, seitenleiste*, startseite, farbe*, schriftart*, button*, knopf, schaltflache*, formular*, galerie*, *galerie, *seite',
    2: 'seite*, blau, rot, grun, grosser, kleiner, hintergrund*, menu*, kopfzeile*, fusszeile*, schrift*, zentrier*',
    1: 'baue, erstelle, entwickle, oberflach*',
  },
  fr: {
    5: 'site web*, site vitrine*, site internet, application web, boutique en ligne, page web*, page d accueil',
    3: 'interface*, tableau de bord, couleur*, bandeau*, bouton*, formulaire*, barre de navigation, mise en page, police*',
    4: 'page d erreur*, pages d erreur*, messages d erreur*',
    2: 'site*, page*, menu*, vert*, bleu*, rouge*, entete*, en tete, pied de page, ecran*',
    1: 'cree, creer, developpe*, construis*',
  },
  es: {
    5: 'pagina web*, sitio web*, aplicacion web, tienda online, tienda en linea, tienda virtual, pagina de inicio',
    3: 'interfaz*, panel de administracion, tablero*, color*, boton*, formulario*, barra de navegacion, diseno web, galeria*',
    4: 'pagina de error*, nueva pagina',
    2: 'pagina*, sitio*, menu*, verde*, azul*, rojo*, encabezado*, pantalla*, fondo*',
    1: 'crea, crear, haz, desarrolla*, construye*, quiero',
  },
  pt: {
    5: 'pagina web*, aplicacao web, aplicativo web, loja virtual, loja online, site para, um site, pagina inicial, landing page',
    3: 'interface*, painel*, botao*, formulario*, barra de navegacao, cor do, cores, layout*, galeria*',
    2: 'tela*, site*, pagina*, menu*, verde*, azul*, vermelho*, cabecalho*, rodape*, fundo*',
    1: 'crie, criar, faca, desenvolva*, construa*, quero',
  },
  it: {
    5: 'sito web*, sito internet, applicazione web, negozio online, pagina web*, un sito, sito per, pagina iniziale',
    3: 'interfaccia*, pannello*, pulsante*, bottone*, modulo di contatto, colore*, barra di navigazione, galleria*',
    2: 'sito*, pagina*, menu*, verde*, blu, rosso*, intestazione*, schermata*, sfondo*',
    1: 'crea, creare, sviluppa*, realizza*, costruisci*',
  },
  ru: {
    5: 'сайт*, веб-приложени*, веб приложени*, интернет-магазин*, интернет магазин*, лендинг*, веб-сайт*, веб сайт*',
    3: 'фронтенд*, интерфейс*, цвет*, кнопк*, форм, форма, форму, формы, дашборд*, верстк*, сверста*, шапк*, адаптив*',
    2: 'страниц*, меню, зелен*, син*, красн*, шрифт*, экран*, фон, галере*',
    1: 'сделай*, создай*, разработай*, построй*',
  },
  zh: {
    5: '网站, 网页, 官网, 落地页, 前端页面, 网店, 商城网站, web应用, 主页',
    3: '前端, 界面, 按钮, 颜色, 样式, 布局, 导航栏, 响应式, 仪表盘, 弹窗, 表单, 图标, 组件',
    2: '页面, 首页, 菜单, 绿色, 蓝色, 红色, 背景, 字体',
    1: '做一个, 创建, 搭建, 开发',
  },
  ja: {
    5: 'ウェブサイト, webサイト, サイトを作, ホームページ, ランディングページ, ウェブアプリ, webアプリ, webページ',
    3: 'フロントエンド, 画面, ボタン, 色を, デザイン, レイアウト, ダッシュボード, フォーム, ナビゲーション, レスポンシブ, モーダル',
    2: 'トップページ, ページ, メニュー, 緑, 青, 赤, 背景, フォント',
    1: '作って, 作成, 開発',
  },
  ko: {
    5: '홈페이지, 웹사이트, 웹 사이트, 웹페이지, 웹앱, 랜딩 페이지, 쇼핑몰 사이트',
    3: '프론트엔드, 화면, 버튼, 색깔, 색상, 디자인, 레이아웃, 대시보드, 네비게이션, 반응형, 모달',
    2: '페이지, 메뉴, 초록, 파란, 빨간, 배경, 폰트',
    1: '만들어, 개발',
  },
}

export const apiCues: CueTable = {
  en: {
    5: `rest api*, restful*, graphql, grpc, openapi, swagger, http endpoint*, api endpoint*, crud api, web service*, webhook receiver*, public api,
        cloud function*, azure function*, lambda function*, serverless backend, api gateway*`,
    4: 'endpoint*, microservice*, resolver*, webhook*, query param*, route handler*, fastapi, express, nestjs, http trigger, api key*',
    3: 'backend*, back end, serverless, api, apis, crud, jwt, oauth*, middleware, get, post, put, patch, flask, django, spring boot, rails, refresh token, soap, protobuf, websocket server, status code*',
    2: 'service*, server*, controller*, json, http, status, payload*, pagination, microservices, 404, 401, 403, 422, lambda, client credentials, sdk',
    1: 'build, create, expose*, filtering, return, returns, auth, validation',
  },
  de: {
    5: 'rest api, rest endpunkt*, rest-api, rest-schnittstelle*, schnittstelle*',
    4: 'endpunkt*, endpoint*, webservice*',
    3: 'backend*, api, microservice*, dienst',
    2: 'server*, liefert',
  },
  fr: {
    5: 'api rest, une api, service web',
    4: 'endpoint*, point d entree, points d entree, point de terminaison',
    3: 'backend*, api, serveur*, jwt, microservice*',
  },
  es: {
    5: 'api rest, una api, servicio web',
    4: 'endpoint*, punto de acceso',
    3: 'backend*, api, servidor*, jwt, microservicio*',
  },
  pt: {
    5: 'api rest, uma api, servico web',
    4: 'endpoint*, rota, rotas',
    3: 'backend*, api, servidor*, jwt, microsservico*',
  },
  it: {
    5: 'api rest, endpoint rest, una api, un api, servizio web',
    4: 'endpoint*',
    3: 'backend*, api, server*, jwt, microserviz*',
  },
  ru: {
    5: 'rest api, рест апи',
    4: 'эндпоинт*, ручк*, апи, вебхук*',
    3: 'бэкенд*, бекенд*, api, сервер*, микросервис*',
  },
  zh: { 5: 'rest接口, api接口, 后端接口, 微服务', 4: '接口, 端点', 3: '后端, 服务端, 网关' },
  ja: { 5: 'rest api, apiサーバ, マイクロサービス', 4: 'エンドポイント, apiを', 3: 'バックエンド, サーバー' },
  ko: { 5: 'rest api, api 서버, 마이크로서비스', 4: '엔드포인트, api를', 3: '백엔드, 서버' },
}

export const mobileCues: CueTable = {
  en: {
    5: `ios app*, android app*, mobile app*, iphone app*, react native, flutter, swiftui, jetpack compose, kotlin multiplatform, native app*, play store,
        app store, android widget*, xcode, testflight, expo, ipad*`,
    4: 'android build*, ios build*, iphone*, swift, kotlin, push notification*, deep link*, splash screen*, apk, pull to refresh, bottom bar, tablet app*, capacitor, ionic, cordova, xamarin',
    3: 'ios, android',
    2: 'offline mode, fingerprint*, face id, mobile, phones, gesture*, widget*, native',
    1: 'build, create, app',
  },
  de: {
    5: 'android app*, ios app*, handy app*, mobile app*, iphone app*, smartphone*',
    4: 'android, ios, iphone*',
    2: 'handy*, mobil*',
  },
  fr: {
    5: 'application mobile*, appli mobile*, application ios, application android',
    4: 'android, ios, iphone*',
    2: 'mobile*, telephone, notifications push',
  },
  es: {
    5: 'aplicacion movil*, app movil*, app de android, app de ios, app para android',
    4: 'android, ios, iphone*, notificaciones push',
    2: 'movil*',
  },
  pt: {
    5: 'aplicativo movel, app mobile, aplicativo android, aplicativo ios, aplicativo flutter, aplicativo para celular',
    4: 'android, ios, iphone*, notificacoes push, flutter',
    2: 'celular*, aplicativo*',
  },
  it: {
    5: 'app mobile, app per iphone, app per android, applicazione mobile, app ios, app android',
    4: 'android, ios, iphone*, notifiche push',
    2: 'cellulare*, telefono',
  },
  ru: {
    5: 'мобильн* приложени*, приложени* для андроид*, приложени* для ios, айос, андроид приложени*',
    4: 'андроид*, айфон*, пуш уведомлени*, пуш-уведомлени*, android, ios',
    2: 'мобильн*, телефон*',
  },
  zh: {
    5: '安卓应用, 移动应用, 手机应用, 手机app, 小程序, ios应用, 苹果应用',
    4: '安卓, 苹果, 推送通知, 推送',
    2: '手机端, 移动端',
  },
  ja: {
    5: 'androidアプリ, iosアプリ, スマホアプリ, モバイルアプリ, iphoneアプリ',
    4: 'プッシュ通知, アンドロイド, スマホ',
    2: 'モバイル, アプリに',
  },
  ko: { 5: '안드로이드 앱, ios 앱, 모바일 앱, 아이폰 앱', 4: '안드로이드, 아이폰, 푸시 알림', 2: '모바일, 스마트폰' },
}

export const scriptCues: CueTable = {
  en: {
    5: `bash script*, python script*, shell script*, powershell script*, node script*, cli tool*, command line tool*, discord bot*, telegram bot*, slack bot*,
        one liner, oneliner, cron job*, cronjob*, web scraper*, small script, quick script, write a script, a script that`,
    4: 'command that, script, scripts, scrape*, scraper*, bot, bots, powershell, crawler*, batch file*, command line program*, macro*, automate, automates, automation, chrome extension*',
    2: 'bulk*, loop over, folder*, files, rename all, backup*, back up, resize, resizing, every day, cli, command, timer*, parse, aggregat*, converts, pretty print, download*',
    1: 'write, csv, quick, list all',
  },
  de: {
    5: 'skript*, python skript*, bash skript*, kommandozeilenprogramm*, kommandozeilentool*',
    4: 'bot, automatisier*',
    2: 'ordner*, dateien, umbenenn*, verkleinert',
  },
  fr: {
    5: 'un script, script python, script bash, outil en ligne de commande',
    4: 'script*, robot*, automatise*',
    2: 'dossier*, fichiers, renomme*, convertit',
  },
  es: {
    5: 'un script, script en, script de',
    4: 'script*, automatiza*, guion de',
    2: 'carpeta*, archivos, renombr*, copia de seguridad',
  },
  pt: {
    5: 'um script, script que, script em, script para',
    4: 'script*, robo, automatiz*',
    2: 'pasta*, arquivos, renomei*',
  },
  it: {
    5: 'uno script, script che, script per, script in',
    4: 'script*, automatizz*',
    2: 'cartell*, file, rinomin*, unisce',
  },
  ru: {
    5: 'скрипт*, бот для, телеграм бот*',
    4: 'бот, бота, консольн*, утилит*, парсер*, автоматизир*',
    2: 'папк*, файлы в, переименов*',
  },
  zh: { 5: '脚本, 爬虫, 命令行工具, 机器人', 4: '批量, 自动化, 定时任务', 2: '文件夹, 重命名' },
  ja: { 5: 'スクリプト, コマンドラインツール, ボットを', 4: 'スクレイピング, 一括, 自動化', 2: 'フォルダ, ファイル名' },
  ko: { 5: '스크립트, 봇을, 크롤러, 명령줄 도구', 4: '크롤링, 자동화, 한꺼번에, 일괄', 2: '폴더, 파일 이름' },
}

export const featureCues: CueTable = {
  en: {
    4: `users should be able to, should be able to, let users, allow users, as a user i want, as an admin i want,
        acceptance criteria, implement the spec, implement the todo, new feature, feature request, make it configurable`,
    3: '^do the, ^do a, ^do this, ^do that, ^do it, ^do what, ^feat, ^improve, ^enhance, ^generate, ^create, ^implement, ^introduce, ^change, ^adjust, ^highlight, ^filter, ^throw, ^a, ^an, can we, could we, functionality, enhance*, customiz*, custom, automatically, ^add, ^allow, ^support, ^show, ^handle, ^log, ^try, ^avoid, ^surface, ^keep, ^let, ^enable, ^make, ^include, ^set, ^use, ^display, ^provide, ^remember, ^prevent, ^limit, would be useful, would be great, would be nice, ability to, option to, shortcut*, implement, implements, implementing, add support, add option*, support for, integrate, integration with, allow, allows, configurable, add an option, i want to, acceptance',
    2: `improve*, better, output, format, formats, summary, via a flag, flags, available, toggle, shortcut, settings, setting, error code*, error message*, error report*, error output, error handling, export, exports, exporting, session*, reconnect*, auto, add, adds, adding, introduce, support, supports, enable, extend, feature, features, option, options, flag, validate, invite*, notification*, notify, limit, limits,
        hide, show, undo redo, multi tenancy, sso, i18n, import, importer, ability, permission*, remember, change the default, instead of, should, same for`,
    1: 'change, changes, make, new, want, need, port, let, search, filter*, password*, email*, payments, stripe, upload*, todo, retry, backoff, set, rename, cache the, every',
  },
  de: {
    4: 'funktion* hinzufugen, neue funktion*, suchfunktion*, moglichkeit',
    3: 'fuge, hinzu, hinzufug*, einbau*, baue * ein, baue, implementier*, erganz*, unterstutz*, *funktion, ermoglich*, erweiter*',
    2: 'feld*, option*, soll, sollen, neu, neue, neues, filter*, anzeigen',
  },
  fr: {
    4: 'la possibilite de, nouvelle fonctionnalite, fonctionnalite*',
    3: 'ajoute*, ajouter, implemente*, integre*, permet*, prends en charge',
    2: 'option*, champ*, nouveau, nouvelle, filtre*, exporte*, possibilite',
  },
  es: {
    4: 'la opcion de, nueva funcion*, funcionalidad*, la posibilidad de',
    3: 'agrega*, anade*, anadir, implementa*, integra*, permite*, incorpora*',
    2: 'opcion*, campo*, nuevo, nueva, filtro*, recuperar, exportar',
  },
  pt: {
    4: 'a opcao de, nova funcionalidade, funcionalidade*, a possibilidade de',
    3: 'adicione*, adiciona*, adicionar, implemente*, implementa*, integre*, permita*, inclua*, acrescent*',
    2: 'opcao*, campo*, novo, nova, filtro*, exportar',
  },
  it: {
    4: 'la possibilita di, nuova funzione, funzionalita',
    3: 'aggiungi*, aggiungere, implementa*, integra*, permetti*, consenti*',
    2: 'opzione*, campo*, nuovo, nuova, filtro*, scaricare, esportare',
  },
  ru: {
    4: 'возможность, новая функция, новую функци*, функционал*',
    3: 'добавь*, добавить, добавьте, реализуй*, реализовать, внедри*, поддержк*',
    2: 'поле, опци*, новый, новую, фильтр*, экспорт*',
  },
  zh: {
    4: '的功能, 新功能, 增加功能',
    3: '增加, 添加, 加上, 加一个, 新增, 实现, 支持, 集成',
    2: '功能, 字段, 选项, 导出, 筛选',
  },
  ja: { 4: '機能を追加, 新機能', 3: '追加, 実装, 対応して, 組み込', 2: '機能, 項目, オプション, 出力, フィルタ' },
  ko: { 4: '기능을 추가, 새 기능, 기능 추가', 3: '추가, 구현, 지원하, 연동', 2: '기능, 필드, 옵션, 내보내, 필터' },
}
