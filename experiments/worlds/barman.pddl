; Two hands, shots, a shaker for two parts, and a dispenser for every ingredient.
; Whatever touches a dispenser costs 10, everything else 1.
(define (domain barman)
  (:requirements :strips :typing :action-costs)
  (:types hand level drink dispenser glass - object
          ingredient cocktail - drink
          shot shaker - glass)
  (:predicates
    (on-table ?g - glass)
    (in-hand ?h - hand ?g - glass)
    (free ?h - hand)
    (empty ?g - glass)
    (holds ?g - glass ?d - drink)
    (clean ?g - glass)
    (traces ?g - glass ?d - drink)
    (shaken ?s - shaker)
    (not-shaken ?s - shaker)
    (filled-to ?s - shaker ?l - level)
    (bottom ?s - shaker ?l - level)
    (above ?low ?high - level)
    (gives ?x - dispenser ?i - ingredient)
    (first-part ?c - cocktail ?i - ingredient)
    (second-part ?c - cocktail ?i - ingredient))
  (:functions (total-cost) - number)

  (:action grasp
    :parameters (?h - hand ?g - glass)
    :precondition (and (free ?h) (on-table ?g))
    :effect (and (not (free ?h)) (not (on-table ?g)) (in-hand ?h ?g)
                 (increase (total-cost) 1)))

  (:action leave
    :parameters (?h - hand ?g - glass)
    :precondition (in-hand ?h ?g)
    :effect (and (not (in-hand ?h ?g)) (free ?h) (on-table ?g)
                 (increase (total-cost) 1)))

  (:action fill-shot
    :parameters (?s - shot ?i - ingredient ?h ?other - hand ?x - dispenser)
    :precondition (and (in-hand ?h ?s) (free ?other) (gives ?x ?i) (empty ?s) (clean ?s))
    :effect (and (not (empty ?s)) (holds ?s ?i) (not (clean ?s)) (traces ?s ?i)
                 (increase (total-cost) 10)))

  (:action refill-shot
    :parameters (?s - shot ?i - ingredient ?h ?other - hand ?x - dispenser)
    :precondition (and (in-hand ?h ?s) (free ?other) (gives ?x ?i) (empty ?s) (traces ?s ?i))
    :effect (and (not (empty ?s)) (holds ?s ?i)
                 (increase (total-cost) 10)))

  (:action empty-shot
    :parameters (?h - hand ?s - shot ?d - drink)
    :precondition (and (in-hand ?h ?s) (holds ?s ?d))
    :effect (and (not (holds ?s ?d)) (empty ?s)
                 (increase (total-cost) 1)))

  (:action clean-shot
    :parameters (?s - shot ?d - drink ?h ?other - hand)
    :precondition (and (in-hand ?h ?s) (free ?other) (empty ?s) (traces ?s ?d))
    :effect (and (not (traces ?s ?d)) (clean ?s)
                 (increase (total-cost) 1)))

  (:action pour-shot-to-clean-shaker
    :parameters (?s - shot ?i - ingredient ?k - shaker ?h - hand ?low ?high - level)
    :precondition (and (in-hand ?h ?s) (holds ?s ?i) (empty ?k) (clean ?k)
                       (filled-to ?k ?low) (above ?low ?high))
    :effect (and (not (holds ?s ?i)) (empty ?s)
                 (holds ?k ?i) (not (empty ?k)) (not (clean ?k)) (not-shaken ?k)
                 (not (filled-to ?k ?low)) (filled-to ?k ?high)
                 (increase (total-cost) 1)))

  (:action pour-shot-to-used-shaker
    :parameters (?s - shot ?i - ingredient ?k - shaker ?h - hand ?low ?high - level)
    :precondition (and (in-hand ?h ?s) (holds ?s ?i) (not-shaken ?k)
                       (filled-to ?k ?low) (above ?low ?high))
    :effect (and (not (holds ?s ?i)) (empty ?s) (holds ?k ?i)
                 (not (filled-to ?k ?low)) (filled-to ?k ?high)
                 (increase (total-cost) 1)))

  (:action shake
    :parameters (?c - cocktail ?i ?j - ingredient ?k - shaker ?h ?other - hand)
    :precondition (and (in-hand ?h ?k) (free ?other) (not-shaken ?k)
                       (first-part ?c ?i) (second-part ?c ?j) (holds ?k ?i) (holds ?k ?j))
    :effect (and (not (holds ?k ?i)) (not (holds ?k ?j)) (holds ?k ?c)
                 (not (not-shaken ?k)) (shaken ?k)
                 (increase (total-cost) 1)))

  (:action pour-shaker-to-shot
    :parameters (?c - cocktail ?s - shot ?h - hand ?k - shaker ?high ?low - level)
    :precondition (and (in-hand ?h ?k) (shaken ?k) (holds ?k ?c) (empty ?s) (clean ?s)
                       (filled-to ?k ?high) (above ?low ?high))
    :effect (and (not (empty ?s)) (holds ?s ?c) (not (clean ?s)) (traces ?s ?c)
                 (not (filled-to ?k ?high)) (filled-to ?k ?low)
                 (increase (total-cost) 1)))

  (:action empty-shaker
    :parameters (?h - hand ?k - shaker ?c - cocktail ?from ?to - level)
    :precondition (and (in-hand ?h ?k) (shaken ?k) (holds ?k ?c)
                       (filled-to ?k ?from) (bottom ?k ?to))
    :effect (and (not (shaken ?k)) (not (holds ?k ?c)) (empty ?k)
                 (not (filled-to ?k ?from)) (filled-to ?k ?to)
                 (increase (total-cost) 1)))

  (:action clean-shaker
    :parameters (?h ?other - hand ?k - shaker)
    :precondition (and (in-hand ?h ?k) (free ?other) (empty ?k))
    :effect (and (clean ?k)
                 (increase (total-cost) 1))))
